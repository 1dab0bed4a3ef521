import type { HttpClient } from '../http-client.ts'
import { askProbe, type ProbeAnswer } from '../probe.ts'

/** What Gongbu answered to one round of probes, unjudged. */
export interface GongbuProbe {
  readonly live: ProbeAnswer
  readonly ready: ProbeAnswer
  readonly version: ProbeAnswer
}

/** Asks the three routes one after the other, always all of them. Never rejects. */
export async function probeGongbu(http: HttpClient): Promise<GongbuProbe> {
  const live = await askProbe(http, '/livez')
  const ready = await askProbe(http, '/readyz')
  const version = await askProbe(http, '/version')
  return { live, ready, version }
}
