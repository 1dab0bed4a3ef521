// What a signed token costs, the first time it is seen and afterwards.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { costMs, openSender, peopleTokens, serveHttp } from './http-peer.ts'
import { atMost, median, type BenchRow } from './row.ts'

const rounds = 9
const fresh = 100
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

/** Two rows: a JWT that is remembered beside a token of a file, and one that is new beside a remembered one. */
export async function benchJwt(
  bin: string,
  folder: string,
  env: Record<string, string>,
  callsOfARound: number,
): Promise<BenchRow[]> {
  const issuer = await startIssuer()
  const { file, tokens } = peopleTokens(folder, 1)
  const audience = 'http://127.0.0.1:7420/mcp'
  const auth = { tokens: file, jwt: { issuer: issuer.url, jwks_uri: `${issuer.url}/jwks`, audience } }
  const router = await serveHttp(bin, folder, env, { http: { public_url: audience }, auth })
  const sender = openSender(router, 8)
  const sign = (subject: string) =>
    new SignJWT({ scope: 'hubu:read' })
      .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'at+jwt' })
      .setIssuer(issuer.url)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(issuer.key)
  const ask = (token: string) =>
    sender.send(body, { authorization: `Bearer ${token}`, 'content-type': 'application/json' })
  try {
    const known = await sign('known')
    const [overToken, overKnown]: [number[], number[]] = [[], []]
    for (let round = -1; round < rounds; round++) {
      const ofToken = await costMs(router, callsOfARound, () => ask(tokens[0]!))
      const ofKnown = await costMs(router, callsOfARound, () => ask(known))
      const strangers = await Promise.all(Array.from({ length: fresh }, (_, n) => sign(`s-${round}-${n}`)))
      const ofFresh = await costMs(router, fresh, (n) => ask(strangers[n]!))
      if (round < 0) continue
      overToken.push(ofKnown - ofToken)
      overKnown.push(ofFresh - ofKnown)
    }
    const row = (name: string, value: number, floor: number) =>
      atMost(1, { name, value, floor, unit: 'ms' }, `${floor} ms`)
    return [
      row('a remembered JWT, over a token', median(overToken), 0.005),
      row('a JWT for the first time', median(overKnown), 0.6),
    ]
  } finally {
    await sender.close()
    await router.end()
    issuer.close()
  }
}

async function startIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256', use: 'sig' }] })
  const server = createServer(
    (_request, response) => void response.setHeader('content-type', 'application/json').end(jwks),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, key: privateKey, close: () => void server.close() }
}
