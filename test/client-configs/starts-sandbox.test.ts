import { expect, test } from 'vitest'
import { startsSandbox } from '../../src/client-configs/entry/server-entry.ts'

test.each([
  [['/x/main.js', 'sandbox', '--config', '/f'], true],
  [['sandbox'], true],
  [['--enable-source-maps', '/x/main.js', 'sandbox'], true],
  [['/c', 'npx', '-y', 'hubu-unified-mcp@1.2.3', 'sandbox'], true],
  [['/x/main.js', '--config', '/f', '--agent', 'sandbox'], false],
  [['/x/main.js', '--agent', 'sandbox'], false],
  [['/x/main.js', 'serve', '--http', '127.0.0.1:1'], false],
  [undefined, false],
])('an entry with the words %j brings its own backends: %s', (args, expected) => {
  expect(startsSandbox({ ...(args && { args }) })).toBe(expected)
})
