import { plainRules, type SpendRules } from '../../src/operations/spend-rules.ts'
import type { Plan } from './plan.ts'

/** A harness with ids buys by the published rule; a client without is always guarded. */
export function simulatedRules({ isGuarded }: Plan): SpendRules {
  return { ...plainRules, journal: 'full', twinGuard: isGuarded ? 'refuse' : 'off' }
}

/** Names as they were before they followed from the call. */
export const drawnNames =
  (randomHex: () => string) =>
  ({ platform }: { platform: string }) => ({
    key: `hubu:operation:v1:${platform}:${randomHex()}`,
    handle: `hubu:public-operation:v1:${randomHex()}`,
  })
