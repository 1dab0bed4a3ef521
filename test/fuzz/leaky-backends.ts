// Backends that repeat what they should not, in every place where an answer can hold a text.
import type { Canned } from '../support/stub-backend.ts'
import { executionBody } from '../support/healthy-backends.ts'

/** An answer that holds this text somewhere. */
export type Leak = (text: string) => Canned

const ok = (json: unknown): Canned => ({ status: 200, json })

/** More than a small budget allows, so that the answer is stored. */
const padding = ' and so on'.repeat(60)

/** JSON text whose every character is escaped. */
const escaped = (text: string) =>
  `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`

/** What may stand in a header, whatever the text is. */
const inHeader = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '.')

/** Answers of Hubu to anything. */
export const hubuLeaks: readonly Leak[] = [
  (text) => ok({ decision: 'deny', note: `seen ${text} there` }),
  (text) => ok({ decision: 'deny', [text]: padding, note: `${padding}${text}${padding}` }),
  (text) => ok({ decision: 'allow', auth_token_id: 'token-of-a-leak', list: [[{ deep: [text] }]] }),
  (text) => ok({ decision: 'allow', auth_token_id: 'token-of-a-leak', [text]: 1 }),
  (text) => ok([text]),
  (text) => ok(text),
  (text) => ({ status: 200, contentType: 'application/json', text: `{"a":${escaped(text)},${escaped(text)}:[]}` }),
  (text) => ({ status: 400, json: { error: `no such thing: ${text}` } }),
  (text) => ({ status: 409, json: { error: text, retry_guidance: { [text]: text } } }),
  (text) => ({ status: 403, json: { error: { message: text } } }),
  (text) => ({ status: 500, contentType: 'text/html', text: `<pre>${text}</pre>` }),
  (text) => ({ status: 200, contentType: 'application/json', text: `{"cut": "${text}` }),
  (text) => ({ status: 400, json: { error: 'x' }, reason: inHeader(text), headers: { 'x-echo': inHeader(text) } }),
  (text) => ({ status: 302, contentType: inHeader(text), text: '', headers: { location: inHeader(text) } }),
  () => 'hangUp',
]

/** Answers of Gongbu to anything; the execution and its artifacts are those that were asked for. */
export const gongbuLeaks: readonly ((id: string) => Leak)[] = [
  () => (text) => ({ status: 400, json: { schema_version: 2, error: { code: 'invalid_request', message: text } } }),
  () => (text) => ({ status: 500, contentType: 'text/plain', text }),
  () => (text) => ({
    status: 418,
    json: { [text]: text },
    reason: inHeader(text),
    headers: { 'x-echo': inHeader(text) },
  }),
  () => (text) => ({ status: 200, contentType: inHeader(text), text }),
  (id) => (text) =>
    ok(executionBody(id, 1, { outcome: text, failure: { code: text, message: `why ${text}` }, [text]: text })),
  (id) => (text) => ok(executionBody(id, 1, { created_at: text, authorization: { amount_minor: 1, currency: text } })),
  (id) => (text) => ok({ schema_version: 1, execution_id: id, artifacts: [artifact(id, text, text)] }),
  (id) => (text) =>
    ok({ schema_version: 1, execution_id: id, artifacts: [artifact(id, 'art-1', { [text]: [text, { x: text }] })] }),
  () => () => 'hangUp',
]

function artifact(executionId: string, text: string, metadata: unknown): object {
  return {
    artifact_id: 'art-1',
    execution_id: executionId,
    kind: text,
    media_type: text,
    size_bytes: 1,
    sha256: text,
    metadata,
    metadata_schema_version: 1,
    created_at: text,
  }
}

/** Answers to probes. */
export const probeLeaks: readonly Leak[] = [
  (text) => ok({ status: 'ok', product_version: text, source_commit: text, executor_contract: text }),
  (text) => ok({ status: text, hubu_executor_contract: text, [text]: text }),
  (text) => ({ status: 503, contentType: 'text/html', text }),
]
