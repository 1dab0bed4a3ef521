import { mayHoldSecret, redactErrorText, redactSecrets } from '../../redaction/replace.ts'
import { Secret } from '../../redaction/secret.ts'
import { withWrittenNumbers } from '../../json/written-number.ts'
import { printValue } from '../../json/print-value.ts'
import { createHttpClient, type HttpClientOptions, type HttpRequest } from '../http-client.ts'
import { probeHubu, type HubuProbe } from '../probe.ts'
import { assertHubuRoute, capabilityHeader } from './request.ts'
import { readHubuReply, type HubuReply } from './response.ts'

/** Hubu over HTTP: each call is exactly one mutation, or one read. */
export interface HubuClient {
  /**
   * Sends a request made by `toHubuRequest`. Our own secrets, should Hubu repeat them, are `<redacted>` in every reply, its
   * endpoint in error texts; private operation keys are the caller's to remove. Throws `hubu_route_invalid` before any
   * traffic; never rejects otherwise.
   */
  send(request: HttpRequest, options?: { readonly signal?: AbortSignal }): Promise<HubuReply>
  /** One round of probes, without our secrets; never rejects. */
  probe(): Promise<HubuProbe>
  close(): Promise<void>
}

/** Hubu's lists may be long; stored results carry them. */
const maxBytes = 64 * 1024 * 1024

const marker = '<redacted>'

/** A shorter path is a word that a text may hold for other reasons. */
const leastPathLength = 8

/**
 * Creates the client. `secrets` are further values that must not come out of a reply, such as the reconciliation token; it
 * may grow.
 */
export function createHubuClient(options: HttpClientOptions & { readonly secrets?: readonly Secret[] }): HubuClient {
  const http = createHttpClient(options)
  const secrets = () => [options.bearer, ...(options.secrets ?? [])]
  const places = endpointTexts(options.endpoint)
  return {
    async send(request, { signal } = {}) {
      assertHubuRoute(request)
      const outcome = await http.send(request, { maxBytes, ...(signal && { signal }) })
      const capability = request.headers?.[capabilityHeader]
      const used = capability === undefined ? secrets() : [...secrets(), new Secret(capability)]
      return withoutSecrets(readHubuReply(request.method, outcome), used, places)
    },
    probe: async () => redactSecrets(await probeHubu(http), secrets(), marker),
    close: () => http.close(),
  }
}

function withoutSecrets(reply: HubuReply, secrets: readonly Secret[], places: readonly Secret[]): HubuReply {
  switch (reply.kind) {
    case 'success': {
      if (!mayHoldSecret(reply.text, secrets)) return reply
      const exact = withWrittenNumbers(reply)
      const value = redactSecrets(exact, secrets, marker)
      return value === exact ? reply : { kind: 'success', value, text: printValue(value) }
    }
    case 'application_error': {
      const hidden = [...secrets, ...places]
      const errorText = reply.errorText === undefined ? undefined : redactErrorText(reply.errorText, hidden)
      return { ...reply, errorText }
    }
    case 'unavailable':
    case 'ambiguous':
    case 'invalid_response':
    case 'cancelled':
      return reply
  }
}

/**
 * What would tell where a backend is, should its error text repeat it: host and port, and a path that is not just a
 * word. A bare host name is a word too.
 */
export function endpointTexts({ host, pathname }: URL): Secret[] {
  const path = pathname.replace(/\/$/, '')
  const told = [...(/[.:]/.test(host) ? [host] : []), ...(path.length >= leastPathLength ? [path] : [])]
  return told.map((text) => new Secret(text))
}
