import type { HttpClient } from '../http-client.ts'
import { askProbe, type ProbeAnswer } from '../probe.ts'

/** What Hubu answered to one round of probes, unjudged. */
export interface HubuProbe {
  readonly health: ProbeAnswer
  readonly version: ProbeAnswer
}

/** Asks both routes one after the other, always both. Never rejects. */
export async function probeHubu(http: HttpClient): Promise<HubuProbe> {
  const health = await askProbe(http, '/health')
  const version = await askProbe(http, '/version')
  return { health, version }
}
