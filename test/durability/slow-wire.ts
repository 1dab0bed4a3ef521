import { createConnection, createServer, type Socket } from 'node:net'

/** A TCP relay that takes its time, so that a kill can fall into the middle of an exchange. */
export interface SlowWire extends AsyncDisposable {
  url: string
  /** Resolves when a request whose head begins so comes from the router, at the latest after `mostMs`. */
  carries(beginning: string, mostMs: number): Promise<void>
}

/** Relays to the host and port of `url`; `delayMs` is asked for each piece of data, in both directions. */
export async function slowWire(url: string, delayMs: () => number): Promise<SlowWire> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const watchers = new Set<(text: string) => void>()
  const relay = (from: Socket, to: Socket) => {
    let last = Promise.resolve()
    const later = (work: () => void) => {
      last = last.then(() => new Promise((resolve) => setTimeout(resolve, delayMs()))).then(work)
    }
    from.on('data', (bytes) => later(() => to.writable && void to.write(bytes)))
    from.on('end', () => later(() => to.end()))
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      later(() => to.destroy())
    })
    sockets.add(from)
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = createConnection({ host: hostname, port: Number(port), allowHalfOpen: true })
    relay(client, upstream)
    client.on('data', (bytes) => {
      for (const watch of watchers) watch(bytes.toString('latin1'))
    })
    relay(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    carries: (beginning, mostMs) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          watchers.delete(watch)
          resolve()
        }
        const watch = (text: string) => void (text.startsWith(beginning) && end())
        const timer = setTimeout(end, mostMs)
        watchers.add(watch)
      }),
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
