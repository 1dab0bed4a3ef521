// The state of a question that its client carries: sealed, so that it comes back as it went out, from the same caller and for the
// same request, while it is fresh.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { isObject } from '../json/read.ts'
import { WireError } from './wire-error.ts'

/** What a state is bound to. */
export interface StateBinding {
  principal: string
  method: string
  params: unknown
}

/** What travels in a state. */
export interface CarriedState {
  /** How many questions were asked before in this request. */
  round: number
  /** The call that waits. */
  id: string
}

const lifeMs = 10 * 60_000
const longestState = 64 * 1024
const [nonceBytes, tagBytes] = [12, 16]

/** Seals and opens states with one key of 32 bytes; replicas that share it take each other's. */
export class RequestStates {
  readonly #key: Buffer
  readonly #nowMs: () => number

  constructor(nowMs: () => number, key: Buffer = randomBytes(32)) {
    this.#key = key
    this.#nowMs = nowMs
  }

  /** Undefined when it would be longer than any client should have to carry. */
  seal(carried: CarriedState, binding: StateBinding): string | undefined {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(bound(binding))
    const plain = JSON.stringify({ ...carried, until: this.#nowMs() + lifeMs })
    const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
    const text = sealed.toString('base64url')
    return text.length > longestState ? undefined : text
  }

  /** Throws `request_state_invalid` for anything but what was sealed for this very request; it does not say why. */
  open(text: unknown, binding: StateBinding): CarriedState {
    try {
      if (typeof text !== 'string' || text.length > longestState) throw invalidState()
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length <= nonceBytes + tagBytes || bytes.toString('base64url') !== text) throw invalidState()
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, nonceBytes))
      decipher.setAAD(bound(binding)).setAuthTag(bytes.subarray(-tagBytes))
      const plain = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
      const { until, ...carried } = JSON.parse(plain.toString('utf8')) as CarriedState & { until: number }
      if (until < this.#nowMs()) throw invalidState()
      return carried
    } catch {
      throw invalidState()
    }
  }
}

function invalidState(): WireError {
  return new WireError(-32602, 'Invalid params: requestState is none of this request. Send the request anew.', {
    code: 'request_state_invalid',
  })
}

function bound({ principal, method, params }: StateBinding): Buffer {
  const { _meta, inputResponses: _responses, requestState: _state, ...asked } = isObject(params) ? params : {}
  const digest = createHash('sha256')
    .update(JSON.stringify(sorted(asked)))
    .digest('hex')
  return Buffer.from(['hubu-request-state:v1', principal, method, digest].join('\0'))
}

/** The same value with the members of each object in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  )
}
