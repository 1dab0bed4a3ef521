// Pure: why somebody behind an address did not answer as wanted, from a closed set of sentences; nothing of theirs is repeated.

/** The errors of an error, from the outermost to the last cause; a failed try of several addresses counts as its first. */
function causesOf(error: unknown): { code?: unknown; message?: unknown }[] {
  const found: { code?: unknown; message?: unknown }[] = []
  for (let at = error; typeof at === 'object' && at !== null && found.length < 10;) {
    found.push(at)
    const { cause, errors } = at as { cause?: unknown; errors?: unknown[] }
    at = cause ?? errors?.[0]
  }
  return found
}

const untrusted =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?)|CERT_(UNTRUSTED|SIGNATURE_FAILURE|REVOKED))$/

const byCode: readonly (readonly [RegExp, string])[] = [
  [untrusted, 'its certificate is not trusted; NODE_EXTRA_CA_CERTS names a file of further authorities'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'its certificate is not valid today'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another host'],
  [/^(ENOTFOUND|EAI_NONAME|EAI_NODATA)$/, 'its host is unknown'],
  [/^EAI_AGAIN$/, 'its host cannot be looked up now'],
  [/^ECONNREFUSED$/, 'nothing listens at its address'],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN)$/, 'its host cannot be reached from here'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'its host does not answer'],
  [/^(EPROTO|ERR_SSL_\w+)$/, 'it does not speak TLS there; its address may have to begin with http'],
  [/^HPE_\w+$/, 'it does not speak plain HTTP there; its address may have to begin with https'],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    'it broke the connection; if it speaks TLS there, its address has to begin with https',
  ],
]

/** What an error of the network means; undefined when it is none. */
export function networkReason(error: unknown): string | undefined {
  for (const { code } of causesOf(error))
    for (const [pattern, reason] of byCode) if (typeof code === 'string' && pattern.test(code)) return reason
  return undefined
}

const statusWords: Readonly<Record<number, string>> = {
  400: 'it takes the request for a wrong one',
  401: 'it does not accept our credentials',
  403: 'our credentials do not allow it',
  404: 'there is nothing at its address',
  405: 'its address takes no requests',
  406: 'it does not give what MCP asks for',
  407: 'a proxy asks for credentials',
  413: 'the request is too large for it',
  429: 'it gets too many requests',
  500: 'it failed inside',
  502: 'what stands before it cannot reach it',
  503: 'it is not available now',
  504: 'what stands before it waited in vain',
}

/** What a status other than success says, with its number. */
export function statusReason(status: number, more = ''): string {
  const isRedirect = status >= 300 && status < 400
  return `${statusWords[status] ?? (isRedirect ? 'its address leads to another one' : 'it answered')} (HTTP ${status}${more})`
}

/** What was answered last, as far as it explains a failure. */
export interface LastAnswer {
  status: number
  isPage: boolean
  isRedirected: boolean
}

/** What an answer says that was no answer of MCP; undefined when it may have been one. */
export function answerReason({ status, isPage, isRedirected }: LastAnswer): string | undefined {
  const moved = isRedirected ? '; its address leads to another one' : ''
  if (status < 200 || status >= 300) return `${statusReason(status)}${moved}`
  if (isPage) return `a page for people is at its address, perhaps a login${moved}`
  return undefined
}
