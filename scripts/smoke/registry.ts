import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A registry that has one package, packed into a file, and sends npm to its own for everything else. It says of the package what
 * npm's says of one with a shrinkwrap: npm obeys no shrinkwrap that it was not told of, and none in a file that it is given.
 */
export async function startRegistry(name: string, file: string): Promise<{ url: string } & AsyncDisposable> {
  const tarball = readFileSync(file)
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const server = createServer((request, response) => {
    if (request.url === '/file.tgz') return response.end(tarball)
    if (request.url !== `/${name}`) {
      const location = `https://registry.npmjs.org${request.url}`
      return response.writeHead(302, { location }).end()
    }
    const dist = { tarball: `${url}/file.tgz`, integrity }
    const versions = { [manifest.version]: { ...manifest, dist, _hasShrinkwrap: true } }
    response.end(JSON.stringify({ name, 'dist-tags': { latest: manifest.version }, versions }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
