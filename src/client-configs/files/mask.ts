// Hides secrets in what a preview shows of a user's file and of its servers. Pure.

/** What stands in place of a secret. */
export const mask = '***'

const secretName = /token|secret|key|pass|auth|credential|bearer/i

/** The longest text that a detail shows, in bytes; what is cut is marked by `…`. */
const maxDetailBytes = 240

/** True for a name that usually holds a secret. Names of files that hold one (`…_FILE`) are not secret themselves. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) && !/file$|path$|endpoint$/i.test(name)
}

/** One line of a configuration file, with the values of secret names and the secret parts of URLs hidden. */
export function maskSecrets(line: string): string {
  return maskSchemes(maskUrls(line)).replace(
    /(["']?)([\w.-]+)\1(\s*[:=]\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,;{}[\]"']+)/g,
    (whole, quote: string, name: string, sign: string, value: string) =>
      isSecretName(name) && !isInnocent(value) ? `${quote}${name}${quote}${sign}${maskValue(value)}` : whole,
  )
}

/** Command line arguments as a preview may show them: values of secret flags and of `-e`, `--env`, `--dotenv` are hidden. */
export function maskArguments(args: readonly string[]): string[] {
  return args.map((argument, index) => {
    const flag = args[index - 1] ?? ''
    if (/^(?:-e|--env|--dotenv)$/.test(flag)) return argument.replace(/=.*$/s, `=${mask}`)
    if (/^--?[\w-]+$/.test(flag) && isSecretName(flag)) return mask
    if (/^(?:-H|--headers?)$/.test(flag)) return maskHeader(argument)
    const [name, value] = splitFlag(argument)
    if (value === undefined) return maskSchemes(maskUrls(argument))
    if (/^(?:-H|--headers?)$/.test(name)) return `${name}=${maskHeader(value)}`
    if (/^(?:-e|--env|--dotenv)$/.test(name)) return `${name}=${value.replace(/=.*$/s, `=${mask}`)}`
    return isSecretName(name) ? `${name}=${mask}` : `${name}=${maskSchemes(maskUrls(value))}`
  })
}

/** A header's name stays; `=` and a bare value are hidden as well. */
const maskHeader = (header: string): string => header.replace(/^([\w-]*\s*[:=]\s*)?.*$/s, `$1${mask}`)

/** What follows the name of a way to prove who asks is the proof, wherever it stands. */
const maskSchemes = (text: string): string => text.replace(/\b(Bearer|Basic)(\s+)(?!\*)[^\s"',;)\]}]+/gi, `$1$2${mask}`)

/** URLs without user, password, query values and fragment. */
export function maskUrls(text: string): string {
  return text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)([^\s"'<>]*)/gi, (_, scheme: string, rest: string) => {
    const [address, ...behind] = rest.split(/[?#]/)
    const at = address!.lastIndexOf('@', address!.indexOf('/') === -1 ? undefined : address!.indexOf('/'))
    return scheme + address!.slice(at + 1) + (behind.length > 0 ? `?${mask}` : '')
  })
}

/** A text for a detail: no control characters, at most 240 bytes and a mark. */
export function shorten(text: string): string {
  const clean = text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '')
  if (Buffer.byteLength(clean) <= maxDetailBytes) return clean
  let cut = ''
  for (const character of clean) {
    if (Buffer.byteLength(cut + character) > maxDetailBytes) break
    cut += character
  }
  return `${cut}…`
}

function splitFlag(argument: string): [string, string | undefined] {
  const match = /^(--?[\w-]+)=(.*)$/s.exec(argument)
  return match === null ? [argument, undefined] : [match[1]!, match[2]]
}

function maskValue(value: string): string {
  const quote = /^["']/.exec(value)?.[0] ?? ''
  return quote + mask + quote
}

/** Words that name no secret even under a secret name: switches, numbers, approval modes. */
export function isInnocent(value: string): boolean {
  return /^["']?(?:true|false|null|\d{1,4}|allow|ask|deny|approve|prompt|)["']?$/.test(value)
}
