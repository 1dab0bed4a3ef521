// Pure: the private key and the public handle of an operation follow from its call. A registry that is lost, exchanged or restored
// gives a redelivered call the same key again, and Hubu, which remembers keys, charges it once.
import { createHmac } from 'node:crypto'

/** What names one call of one installation. */
export interface NamedCall {
  /** Whose purchases they are: `local` for a client that started us itself. */
  principal: string
  platform: string
  harnessCallId: string
}

/** The two names of an operation. The key never leaves for an agent; who knows one of them cannot tell the other. */
export interface OperationNames {
  key: string
  handle: string
}

/** The names that this secret gives to a call: the same ones every time. */
export function deriveNames(secret: Uint8Array, { principal, platform, harnessCallId }: NamedCall): OperationNames {
  const digits = (label: string) =>
    createHmac('sha256', secret)
      .update([label, principal, platform, harnessCallId].join('\0'))
      .digest('hex')
      .slice(0, 32)
  return {
    key: `hubu:operation:v1:${platform}:${digits('key')}`,
    handle: `hubu:public-operation:v1:${digits('handle')}`,
  }
}
