import type { HubuReply } from '../backends/hubu/response.ts'
import { RouterError } from '../errors/router-error.ts'
import { hidePrivateKeys } from '../redaction/private-operation.ts'
import { redactErrorText } from '../redaction/replace.ts'
import type { Secret } from '../redaction/secret.ts'

/** Hubu's own verdict: its status and its text without our secrets and without private keys. */
export function applicationError(
  reply: HubuReply & { kind: 'application_error' },
  secrets: readonly Secret[],
  privateKeys: readonly string[] = [],
): RouterError {
  const said =
    reply.errorText === undefined
      ? 'It gave no reason.'
      : hidePrivateKeys(redactErrorText(reply.errorText, secrets, privateKeys))
  return new RouterError('hubu_application_error', `Hubu refused the request with status ${reply.status}: ${said}`)
}
