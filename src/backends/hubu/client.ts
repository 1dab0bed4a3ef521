import { redactSecrets } from '../../redaction/replace.ts'
import type { Secret } from '../../redaction/secret.ts'
import { createHttpClient, type HttpClientOptions, type HttpRequest } from '../http-client.ts'
import { probeHubu, type HubuProbe } from './probe.ts'
import { assertHubuRoute } from './request.ts'
import { readHubuReply, type HubuReply } from './response.ts'

/** Hubu over HTTP: each call is exactly one mutation, or one read. */
export interface HubuClient {
  /**
   * Sends a request made by `toHubuRequest`. Our own secrets, should Hubu repeat them, are `<redacted>` in a success;
   * `errorText` of an application error is raw. Throws `hubu_route_invalid` before any traffic; never rejects otherwise.
   */
  send(request: HttpRequest, options?: { readonly signal?: AbortSignal }): Promise<HubuReply>
  /** One round of probes; never rejects. */
  probe(): Promise<HubuProbe>
  close(): Promise<void>
}

/** Hubu's lists may be long; stored results carry them (DESIGN 5). */
const maxBytes = 64 * 1024 * 1024

/** Creates the client. `secrets` are further values that must not come out of a reply, such as the reconciliation token. */
export function createHubuClient(options: HttpClientOptions & { readonly secrets?: readonly Secret[] }): HubuClient {
  const http = createHttpClient(options)
  const secrets = [options.bearer, ...(options.secrets ?? [])]
  return {
    async send(request, { signal } = {}) {
      assertHubuRoute(request)
      const reply = readHubuReply(request.method, await http.send(request, { maxBytes, ...(signal && { signal }) }))
      return reply.kind === 'success' ? redactSuccess(reply, secrets) : reply
    },
    probe: () => probeHubu(http),
    close: () => http.close(),
  }
}

/** R 9.1: the tokens have no destination but their headers, whatever a backend repeats. */
function redactSuccess(reply: HubuReply & { kind: 'success' }, secrets: readonly Secret[]): HubuReply {
  const value = redactSecrets(reply.value, reply.text, secrets, '<redacted>')
  return value === reply.value ? reply : { kind: 'success', value, text: JSON.stringify(value) }
}
