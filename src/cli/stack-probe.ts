// Asks the backends of a stack who they are, before a client is pointed at them.
import { protocol } from '#generated/protocol.js'
import { createGongbuClient } from '../backends/gongbu/client.ts'
import type { HttpClientOptions } from '../backends/http-client.ts'
import { createHubuClient } from '../backends/hubu/client.ts'
import { member } from '../json/read.ts'
import type { ProbeAnswer } from '../backends/probe.ts'
import type { Backend } from '../client-configs/entry/server-entry.ts'
import type { BackendProbe, ProbeBackends } from '../client-configs/stack/load-stack.ts'
import { readBearer } from '../config/credentials.ts'
import type { Secret } from '../redaction/secret.ts'

const totalTimeoutMs = 2000

/** Probes both owners at once, each with its own token only. Never rejects for what they answer. */
export function stackProbe(stamp: { productVersion: string; sourceCommit: string }): ProbeBackends {
  return async (connection) => {
    if (connection.kind === 'sandbox') return { hubu: { state: 'compatible', detail: '' } }
    const [hubu, gongbu] = await Promise.all([
      connection.hubu && probeHubu(optionsFor('hubu', connection.hubu), stamp),
      connection.gongbu && probeGongbu(optionsFor('gongbu', connection.gongbu), stamp),
    ])
    return { hubu: hubu ?? unreachable('no endpoint'), ...(gongbu === undefined ? {} : { gongbu }) }
  }
}

type Stamp = Parameters<typeof stackProbe>[0]

async function probeHubu(options: HttpClientOptions, stamp: Stamp): Promise<BackendProbe> {
  const client = createHubuClient(options)
  try {
    const { health, version } = await client.probe()
    return judge(isHealthy(health, 'ok'), version, 'executor_contract', stamp)
  } finally {
    await client.close()
  }
}

async function probeGongbu(options: HttpClientOptions, stamp: Stamp): Promise<BackendProbe> {
  const client = createGongbuClient(options)
  try {
    const { live, version } = await client.probe()
    return judge(isHealthy(live, 'live'), version, 'hubu_executor_contract', stamp)
  } finally {
    await client.close()
  }
}

function judge(isUp: boolean, version: ProbeAnswer, contract: string, stamp: Stamp): BackendProbe {
  if (!isUp || version.kind !== 'json' || version.status !== 200) return unreachable('it does not answer as it should')
  const said = ['product_version', 'source_commit', contract].map((name) => member(version.body, name))
  const wanted = [stamp.productVersion, stamp.sourceCommit, protocol.executor_contract]
  const isSame = said.every((value, index) => value === wanted[index])
  const show = (values: unknown[]): string =>
    values.map((value) => (typeof value === 'string' ? value : 'unknown')).join(', ')
  return isSame
    ? { state: 'compatible', detail: show(said) }
    : { state: 'incompatible', detail: `it is (${show(said)}), this router is (${show(wanted)})` }
}

function isHealthy(answer: ProbeAnswer, status: string): boolean {
  return answer.kind === 'json' && answer.status === 200 && member(answer.body, 'status') === status
}

function unreachable(detail: string): BackendProbe {
  return { state: 'unreachable', detail }
}

function optionsFor(owner: 'hubu' | 'gongbu', { endpoint, tokenFile }: Backend): HttpClientOptions {
  const bearer = readBearer(owner, undefined, tokenFile) as Secret
  return { endpoint: new URL(endpoint), bearer, totalTimeoutMs }
}
