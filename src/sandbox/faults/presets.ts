// Pure: the common faults by name, as rules for either backend.

/** A rule as the control route takes it (rule.ts). */
type Rule = Readonly<Record<string, unknown>>

/** A fault with a name. */
export interface FaultPreset {
  /** What happens, in a few words for people. */
  about: string
  hubu?: readonly Rule[]
  gongbu?: readonly Rule[]
}

/** Everything that Hubu does for others; its probes stay well. */
const hubuWork = ['/spend*', '/budgets*', '/agents*', '/policies*', '/ledger*', '/user*', '/init']
const spends = ['/spend', '/spend/authorize'].map((path) => ({ method: 'POST', path }))
const creates = [{ method: 'POST', path: '/v2/executions' }]
const everywhere = [{ path: '/*' }]
const versions = [{ method: 'GET', path: '/version' }]

const each = (places: readonly Rule[], fault: Rule): Rule[] => places.map((place) => ({ ...place, ...fault }))
const executions = (behaviour: string): Rule[] => [{ kind: 'execution', behaviour }]
const otherVersion = each(versions, { kind: 'incompatible_version' })

/** The common faults, by the names that `--fault` takes (docs/sandbox.md says what an agent sees). */
export const faultPresets: Readonly<Record<string, FaultPreset>> = {
  'hubu-slow': {
    about: 'Hubu answers 2 s late; its probes do not',
    hubu: each(
      hubuWork.map((path) => ({ path })),
      { kind: 'delay', delay_ms: 2000 },
    ),
  },
  'hubu-lost-reply': {
    about: 'the answer to the next spend of each kind is lost after Hubu decided it',
    hubu: each(spends, { kind: 'lost_reply', times: 1 }),
  },
  'hubu-cut-reply': {
    about: 'the answer to the next spend of each kind is cut off in the middle',
    hubu: each(spends, { kind: 'cut_reply', times: 1 }),
  },
  'hubu-5xx': {
    about: 'every spend is answered 500 and not handled',
    hubu: each(spends, { kind: 'error', status: 500, handled: false }),
  },
  'hubu-garbage': {
    about: 'every spend is handled and answered with something that is not JSON',
    hubu: each(spends, { kind: 'garbage' }),
  },
  'hubu-down': {
    about: 'Hubu ends every connection without an answer; Gongbu notices and admits nothing new',
    hubu: each(everywhere, { kind: 'lost_reply', handled: false }),
  },
  'hubu-claim-lost': {
    about: "the answer to Gongbu's next claim is lost after it was claimed",
    hubu: [{ method: 'POST', path: '/spend/executor/claim', kind: 'lost_reply', times: 1 }],
  },
  'hubu-settle-lost': {
    about: "the answer to Gongbu's next settlement is lost after it was settled",
    hubu: [{ method: 'POST', path: '/spend/executor/settle', kind: 'lost_reply', times: 1 }],
  },
  'gongbu-not-ready': {
    about: 'Gongbu is alive, but not ready, and refuses new executions',
    gongbu: each([{ method: 'GET', path: '/readyz' }, ...creates], { kind: 'not_ready' }),
  },
  'gongbu-slow': { about: 'the provider takes 5 s for each execution', gongbu: executions('slow 5s') },
  'gongbu-reconciliation': {
    about: 'nobody knows whether the provider did the work; every execution is held',
    gongbu: executions('reconciliation'),
  },
  'gongbu-rejected': {
    about: 'the provider refuses every execution, and the money is released',
    gongbu: executions('rejected'),
  },
  'gongbu-artifact-lost': {
    about: 'the artifacts of every execution are stored, but nobody knows',
    gongbu: executions('artifact lost'),
  },
  'gongbu-lost-reply': {
    about: 'the answer to the next create is lost after Gongbu admitted it',
    gongbu: each(creates, { kind: 'lost_reply', times: 1 }),
  },
  'gongbu-5xx': {
    about: 'every create is answered 500 and not handled',
    gongbu: each(creates, { kind: 'error', status: 500, handled: false }),
  },
  'gongbu-garbage': {
    about: 'every create is handled and answered with something that is not JSON',
    gongbu: each(creates, { kind: 'garbage' }),
  },
  'gongbu-down': {
    about: 'Gongbu ends every connection without an answer',
    gongbu: each(everywhere, { kind: 'lost_reply', handled: false }),
  },
  'incompatible-version': {
    about: 'Hubu and Gongbu tell another product version',
    hubu: otherVersion,
    gongbu: otherVersion,
  },
  'hubu-incompatible-version': { about: 'Hubu tells another product version', hubu: otherVersion },
  'gongbu-incompatible-version': { about: 'Gongbu tells another product version', gongbu: otherVersion },
}

/** Whether there is a fault of this name. */
export function isFaultName(name: string): boolean {
  return Object.hasOwn(faultPresets, name)
}

/**
 * The rules of some known names for both backends, each told its name. Those that end by themselves stand before those that meet
 * everything, because the first rule decides.
 */
export function rulesOf(names: readonly string[]): { hubu: Rule[]; gongbu: Rule[] } {
  const of = (backend: 'hubu' | 'gongbu') => {
    const rules = names.flatMap((name) => (faultPresets[name]?.[backend] ?? []).map((rule) => ({ name, ...rule })))
    return [...rules.filter(isLimited), ...rules.filter((rule) => !isLimited(rule))]
  }
  return { hubu: of('hubu'), gongbu: of('gongbu') }
}

const isLimited = (rule: Rule): boolean => rule.times !== undefined
