// Hubu over HTTP.
import { decodeClaim, decodeSettlement, decodeSpend, isCompatibleVersion } from './decode.ts'
import type { Hubu, HubuResult, SpendRequest } from './hubu.ts'
import { callHubu, type HubuEndpoint, type HubuReply } from './http-call.ts'

/** The executor contract that this Gongbu speaks. */
export const executorContract = 'hubu-spend-executor-v4.3'

/**
 * The HTTP client. `url` must be `http://` with a loopback host and without user info; trailing slashes are dropped.
 * Throws an Error otherwise.
 */
export function createHttpHubu(options: { url: string; token: string; silenceMs: number }): Hubu {
  const endpoint: HubuEndpoint = { ...options, baseUrl: baseUrlOf(options.url) }
  const executor = '/spend/executor'
  const post = (path: string, body: unknown) => callHubu(endpoint, 'POST', `${executor}/${path}`, body)
  return {
    resolve: async (tokenId) => judge(await post('resolve', { spend_auth_token_id: tokenId }), decodeSpend),
    validate: async (request) => judge(await post('validate', spendBody(request)), (json) => decodeSpend(json) && null),
    claim: async (request) =>
      judge(await post('claim', { operation_key: request.operationKey, ...spendBody(request) }), decodeClaim),
    inspectClaim: async (claimId) =>
      judge(await callHubu(endpoint, 'GET', `${executor}/claim?claim_id=${percentEncoded(claimId)}`), decodeClaim),
    settle: async (request) =>
      judge(
        await post('settle', {
          agent_id: request.agentId,
          operation_key: request.operationKey,
          receipt: {
            actual_vendor_cost_cents: request.amountCents,
            provider_request_id: request.receiptId,
            price_model_snapshot: {
              provider: request.price.provider,
              model: request.price.model,
              unit_price_cents: request.price.unitPriceCents,
              pricing_unit: 'execution',
              currency: request.price.currency.toLowerCase(),
            },
            artifact_reference: request.artifactReference,
          },
        }),
        decodeSettlement,
      ),
    release: async ({ agentId, operationKey }) =>
      judge(
        await post('release', { agent_id: agentId, operation_key: operationKey }),
        (json) => decodeClaim(json) && null,
      ),
    async isCompatible(productVersion) {
      const health = await callHubu(endpoint, 'GET', '/health')
      if (health.kind === 'lost' || health.status < 200 || health.status > 299) return false
      const version = await callHubu(endpoint, 'GET', '/version')
      if (version.kind === 'lost' || version.status < 200 || version.status > 299) return false
      return isCompatibleVersion(version.json, productVersion, executorContract)
    },
  }
}

/** How an answer is classed: 2xx and decodable, 4xx, everything else. */
function judge<T>(reply: HubuReply, decode: (json: unknown) => T | undefined): HubuResult<T> {
  if (reply.kind === 'lost') return { kind: 'lost', code: 'hubu_transport_ambiguous' }
  if (reply.status >= 400 && reply.status <= 499) return { kind: 'refused', code: 'hubu_request_rejected' }
  const value = reply.status >= 200 && reply.status <= 299 ? decode(reply.json) : undefined
  return value === undefined ? { kind: 'lost', code: 'hubu_transport_ambiguous' } : { kind: 'ok', value }
}

/** The body of validate and claim. Agent and task are Hubu's own to supply. */
function spendBody(request: SpendRequest) {
  return {
    spend_auth_token_id: request.tokenId,
    account_id: request.accountId,
    amount_cents: request.amountCents,
    execution_scope: request.scope,
  }
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const loopback = url !== undefined && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url?.protocol !== 'http:' || !loopback || url.username !== '' || url.password !== '' || url.search !== '')
    throw new Error('the Hubu address must be http:// with a loopback host')
  if (/[^/]/.test(url.pathname)) throw new Error('the Hubu address must not have a path')
  return url.origin
}
