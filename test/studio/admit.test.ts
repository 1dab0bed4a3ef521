import { expect, test } from 'vitest'
import { admit, type KnownPath } from '../../src/studio/http/admit.ts'

const own = { origin: 'http://127.0.0.1:8931', host: '127.0.0.1:8931' }
const known: Record<string, KnownPath> = {
  '/': { methods: ['GET'], kind: 'page' },
  '/assets/run/app.js': { methods: ['GET'], kind: 'asset' },
  '/api/state': { methods: ['GET'], kind: 'api' },
  '/api/session': { methods: ['POST'], kind: 'api' },
}
const host = ['Host', own.host]
const posting = [...host, 'Origin', own.origin, 'Content-Type', 'application/json', 'Content-Length', '2']

function verdictOf(method: string, target: string, rawHeaders: readonly string[]): string {
  const verdict = admit({ method, target, rawHeaders }, own, (path) => known[path])
  return verdict.kind === 'admitted' ? 'admitted' : verdict.code
}

const without = (name: string) => posting.filter((_, at) => posting[at - (at % 2)] !== name)
const withValue = (name: string, value: string) => [...without(name), name, value]

test.each([
  [
    'the page as a link from anywhere',
    'GET',
    '/',
    [...host, 'Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Dest', 'document'],
  ],
  ['the head of the page', 'HEAD', '/', host],
  ['an asset that somebody types', 'GET', '/assets/run/app.js', [...host, 'Sec-Fetch-Site', 'none']],
  ['our own page', 'GET', '/api/state', [...host, 'Sec-Fetch-Site', 'same-origin', 'Origin', own.origin]],
  ['a program without a browser', 'GET', '/api/state?x=1', host],
  ['a body of ours', 'POST', '/api/session', posting],
  ['a body with a charset', 'POST', '/api/session', withValue('Content-Type', 'application/json; charset=utf-8')],
])('%s is let in', (_what, method, target, headers) => {
  expect(verdictOf(method, target, headers)).toBe('admitted')
})

test.each([
  ['no host', 'GET', '/', [], 'bad_request'],
  ['two hosts', 'GET', '/', [...host, ...host], 'bad_request'],
  ['another name of this machine', 'GET', '/', ['Host', 'localhost:8931'], 'foreign_host'],
  ['a host that only begins so', 'GET', '/', ['Host', '127.0.0.1:89310'], 'foreign_host'],
  ['a cookie twice', 'GET', '/', [...host, 'Cookie', 'a=1', 'cookie', 'a=2'], 'bad_request'],
  ['an absolute target', 'GET', 'http://127.0.0.1:8931/', host, 'bad_request'],
  ['an escape in the path', 'GET', '/api/%73tate', host, 'bad_request'],
  ['a step up', 'GET', '/assets/run/../app.js', host, 'bad_request'],
  ['two slashes', 'GET', '/api//state', host, 'bad_request'],
  ['a very long target', 'GET', `/api/state?${'q'.repeat(5000)}`, host, 'bad_request'],
  ['another port of this machine', 'GET', '/api/state', [...host, 'Origin', 'http://127.0.0.1:1'], 'foreign_origin'],
  ['a document without an origin', 'GET', '/', [...host, 'Origin', 'null'], 'foreign_origin'],
  ['a frame of our own', 'GET', '/', [...host, 'Sec-Fetch-Dest', 'iframe', 'Sec-Fetch-Site', 'same-origin'], 'framed'],
  [
    'another port, as the browser tells it',
    'GET',
    '/api/state',
    [...host, 'Sec-Fetch-Site', 'same-site'],
    'foreign_site',
  ],
  [
    'the page, read by another site',
    'GET',
    '/',
    [...host, 'Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Dest', 'empty'],
    'foreign_site',
  ],
  ['an asset for another port', 'GET', '/assets/run/app.js', [...host, 'Sec-Fetch-Site', 'same-site'], 'foreign_site'],
  ['an unknown path', 'GET', '/api/nothing', host, 'not_found'],
  ['a preflight', 'OPTIONS', '/api/session', host, 'method_not_allowed'],
  ['a body without an origin', 'POST', '/api/session', without('Origin'), 'foreign_origin'],
  ['a form', 'POST', '/api/session', withValue('Content-Type', 'text/plain'), 'json_only'],
  ['a body of unknown length', 'POST', '/api/session', without('Content-Length'), 'length_required'],
  ['a body in pieces', 'POST', '/api/session', [...posting, 'Transfer-Encoding', 'chunked'], 'length_required'],
  ['a large body', 'POST', '/api/session', withValue('Content-Length', '70000'), 'too_large'],
  ['a read with a body', 'GET', '/api/state', [...host, 'Content-Length', '2'], 'bad_request'],
] as const)('%s is refused', (_what, method, target, headers, code) => {
  expect(verdictOf(method, target, headers)).toBe(code)
})
