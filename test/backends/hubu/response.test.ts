import { expect, test } from 'vitest'
import type { HttpOutcome } from '../../../src/backends/http-client.ts'
import { readHubuReply } from '../../../src/backends/hubu/response.ts'

const answer = (status: number, body: string | Buffer): HttpOutcome => ({
  kind: 'answer',
  status,
  contentType: undefined,
  body: Buffer.from(body),
})
const head = { status: 200, contentType: 'application/json' }

test.each<[name: string, outcome: HttpOutcome, get: string, post: string]>([
  ['no connection', { kind: 'not_connected' }, 'unavailable', 'unavailable'],
  ['no response head', { kind: 'no_answer' }, 'unavailable', 'ambiguous'],
  ['a cut body', { kind: 'cut', ...head }, 'unavailable', 'ambiguous'],
  ['a cut error body', { kind: 'cut', ...head, status: 500 }, 'unavailable', 'ambiguous'],
  ['a body over the limit', { kind: 'too_large', ...head }, 'invalid_response', 'ambiguous'],
  ['a 200 that is not JSON', answer(200, 'not-json'), 'invalid_response', 'ambiguous'],
  ['a 502 of HTML', answer(502, '<html>'), 'invalid_response', 'ambiguous'],
  ['a 204', answer(204, ''), 'invalid_response', 'ambiguous'],
  ['an empty 200', answer(200, ''), 'invalid_response', 'ambiguous'],
  ['an empty 401', answer(401, ''), 'invalid_response', 'application_error'],
  ['a 403 of HTML', answer(403, '<html>'), 'invalid_response', 'application_error'],
  ['a cut 413', { kind: 'cut', ...head, status: 413 }, 'unavailable', 'application_error'],
  ['a 429 over the limit', { kind: 'too_large', ...head, status: 429 }, 'invalid_response', 'application_error'],
  ['a 200 in invalid UTF-8', answer(200, Buffer.from([0x22, 0xff, 0x22])), 'invalid_response', 'ambiguous'],
  ['a 400 of JSON', answer(400, '{"error":"no"}'), 'application_error', 'application_error'],
  ['a 302 of JSON', answer(302, '{}'), 'application_error', 'application_error'],
  ['a 500 of JSON', answer(500, '{}'), 'application_error', 'application_error'],
  ['a 300 of JSON', answer(300, '{}'), 'application_error', 'application_error'],
  ['a 200 of JSON', answer(200, '{}'), 'success', 'success'],
  ['a 299 of null', answer(299, 'null'), 'success', 'success'],
  ['a cancelled call', { kind: 'cancelled' }, 'cancelled', 'cancelled'],
])('%s: $2 for a GET, $3 for a POST', (_name, outcome, get, post) => {
  expect([readHubuReply('GET', outcome).kind, readHubuReply('POST', outcome).kind]).toEqual([get, post])
})

test('a success gives value and text; an unreadable read gives its status, and never its body', () => {
  expect(readHubuReply('GET', answer(200, '[1, 2]'))).toEqual({ kind: 'success', value: [1, 2], text: '[1, 2]' })
  expect(readHubuReply('GET', answer(502, '<html>secret</html>'))).toEqual({
    kind: 'invalid_response',
    status: 502,
    isTooLarge: false,
  })
  expect(readHubuReply('GET', { kind: 'too_large', ...head })).toMatchObject({ isTooLarge: true })
  expect(readHubuReply('POST', answer(200, 'secret-not-json'))).toEqual({ kind: 'ambiguous', isTooLarge: false })
})

test.each<[string, string | undefined]>([
  ['{"error":"bad"}', 'bad'],
  ['{"error":null}', undefined],
  ['{"error":{"message":"x"}}', undefined],
  ['{"message":"x"}', undefined],
  ['"x"', undefined],
  ['[]', undefined],
  ['null', undefined],
])('the error text of %s is %s', (body, errorText) => {
  expect(readHubuReply('GET', answer(403, body))).toEqual({
    kind: 'application_error',
    status: 403,
    errorText,
  })
})
