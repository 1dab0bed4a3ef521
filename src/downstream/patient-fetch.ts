import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import { EntryProblem } from './expand-entry.ts'

const patience = { headersTimeout: 0, bodyTimeout: 0 }

/** The sockets of every server that is reached without a proxy; nothing waits for them, and the process may end with them open. */
const direct: unknown = new Agent(patience)

/** No proxy reaches what runs on this machine. */
const thisMachine = ['localhost', '127.0.0.1', '[::1]']

/**
 * Node's fetch without its own patience: it takes an answer, or a stream of events, that is silent for five minutes for a dead one. A
 * tool may work longer, and calls have time-outs of their own. It goes through the proxy that HTTP_PROXY, HTTPS_PROXY and NO_PROXY
 * name, in either case, except to this machine. Rejects with EntryProblem when such a variable is no address.
 */
export async function openPatientFetch(env: Readonly<Record<string, string | undefined>>): Promise<FetchLike> {
  const dispatcher = await dispatcherFor(env)
  return (url, init) => fetch(url, { ...init, dispatcher } as RequestInit)
}

async function dispatcherFor(env: Readonly<Record<string, string | undefined>>): Promise<unknown> {
  const [httpProxy, httpsProxy, noProxy] = [
    env.http_proxy ?? env.HTTP_PROXY ?? '',
    env.https_proxy ?? env.HTTPS_PROXY ?? '',
    env.no_proxy ?? env.NO_PROXY ?? '',
  ]
  if (httpProxy === '' && httpsProxy === '') return direct
  const [{ default: EnvHttpProxyAgent }, { default: Pool }, { default: connect }] = await Promise.all([
    import('undici/lib/dispatcher/env-http-proxy-agent.js'),
    import('undici/lib/dispatcher/pool.js'),
    import('undici/lib/api/api-connect.js'),
  ])
  // Without undici's index a pool has no way to ask for a tunnel.
  const clientFactory = (origin: URL, options: object) => Object.assign(new Pool(origin, options), { connect })
  const without = noProxy.trim() === '*' ? '*' : [noProxy, ...thisMachine].join(',')
  try {
    // Many proxies open tunnels to TLS ports only, so what is not encrypted is asked of the proxy itself.
    return new EnvHttpProxyAgent({
      ...patience,
      httpProxy,
      httpsProxy,
      noProxy: without,
      proxyTunnel: false,
      clientFactory,
    })
  } catch {
    throw new EntryProblem('HTTP_PROXY or HTTPS_PROXY is no address of a proxy; mend the variable, or remove it')
  }
}
