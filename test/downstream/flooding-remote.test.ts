// A remote server that sends more than anybody wants.
import { createGzip } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { call, exact, mountRemote, remoteServer, type RemoteCall } from './remote-server.ts'

const tooLong = { kind: 'unknown', why: 'too_long' }
const megabyte = 1024 * 1024

/** Writes a chunk again and again, for as long as somebody reads. */
function endlessly(to: NodeJS.WritableStream, chunk: Buffer): void {
  const more = () => {
    while (to.write(chunk));
  }
  to.on('drain', more)
  more()
}

describe('an answer without end is given up at the limit of a line, and the connection is kept', () => {
  test.each<[string, (call: RemoteCall) => void]>([
    [
      'as one event',
      ({ response }) =>
        endlessly(response.writeHead(200, { 'content-type': 'text/event-stream' }), Buffer.alloc(4 * megabyte, 'x')),
    ],
    [
      'as many events',
      ({ response }) => {
        const event = `data: {"jsonrpc":"2.0","id":"none","result":{"x":"${'x'.repeat(8 * megabyte)}"}}\n\n`
        endlessly(response.writeHead(200, { 'content-type': 'text/event-stream' }), Buffer.from(event))
      },
    ],
    [
      'packed',
      ({ response }) => {
        const zip = createGzip({ level: 1 })
        const head = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
        zip.pipe(response.writeHead(200, head))
        endlessly(zip, Buffer.alloc(4 * megabyte))
      },
    ],
  ])(
    '%s',
    async (_how, respond) => {
      let isFirst = true
      await using remote = await remoteServer((asked) => {
        if (!isFirst) return asked.json(exact)
        isFirst = false
        respond(asked)
      })
      await using mounts = await mountRemote({ url: remote.url })
      expect(await call(mounts)).toEqual(tooLong)
      expect(await call(mounts)).toMatchObject({ kind: 'result' })
      expect(remote.methods.filter((method) => method === 'initialize')).toHaveLength(1)
    },
    120_000,
  )
})
