import { expect, test } from 'vitest'
import { accepts, judgeContent } from '../../src/http/front/media.ts'

test.each([
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
])('%s is taken', (type) => expect(judgeContent({ 'content-type': [type] })).toBeUndefined())

test.each([
  [{}],
  [{ 'content-type': ['text/plain'] }],
  [{ 'content-type': ['application/json; charset=latin1'] }],
  [{ 'content-type': ['application/json', 'application/json'] }],
  [{ 'content-type': ['application/json'], 'content-encoding': ['gzip'] }],
])('%j is not', (fields: Record<string, string[]>) => expect(judgeContent(fields)).toMatchObject({ status: 415 }))

test.each<[string[] | undefined, boolean, boolean]>([
  [undefined, true, true],
  [['*/*'], true, true],
  [['application/json'], true, false],
  [['application/*, text/event-stream;q=0.5'], true, true],
  [['application/json, text/event-stream;q=0'], true, false],
  [['text/html'], false, false],
  [['*/*', 'application/json;q=0.0'], false, true],
])('who says %j takes JSON: %s, streams: %s', (accept, json, stream) => {
  expect(accepts({ accept })).toEqual({ json, stream })
})
