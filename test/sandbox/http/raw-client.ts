import net from 'node:net'

/** What came back on a raw connection until the peer closed it. */
export interface RawAnswer {
  text: string
  status: number | undefined
  body: string
}

/** Writes bytes as they are, half-closes if asked, and reads until the peer closes. */
export function sendRaw(
  port: number,
  pieces: readonly (string | Buffer)[],
  options: { halfClose?: boolean } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const chunks: Buffer[] = []
    const finish = () => {
      socket.destroy()
      const text = Buffer.concat(chunks).toString('utf8')
      const end = text.indexOf('\r\n\r\n')
      const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1]
      resolve({
        text,
        status: status === undefined ? undefined : Number(status),
        body: end < 0 ? '' : text.slice(end + 4),
      })
    }
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', finish)
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNREFUSED' ? reject(error) : finish()))
    socket.on('connect', () => {
      for (const piece of pieces) socket.write(piece)
      if (options.halfClose) socket.end()
    })
  })
}
