/** One thing that happened, for the person who reads a failing seed. */
export interface Happening {
  atMs: number
  /** `P1` to `P4`, `hubu`, `gongbu`, `agent` or `world`. */
  who: string
  what: string
  /** The intent it belongs to, when it belongs to one. */
  intent?: number
}

/** What happened in one world, in order. */
export class History {
  readonly happenings: Happening[] = []

  add(happening: Happening): void {
    this.happenings.push(happening)
  }

  /** The last happenings that matter to an intent (or to all), one line each. */
  print(intent: number | undefined, lines = 60): string {
    const told = withoutRounds(
      this.happenings.filter((one) => intent === undefined || one.intent === undefined || one.intent === intent),
    )
    const shown = told
      .slice(-lines)
      .map(({ atMs, who, what }) => `${String(atMs).padStart(9)} ms  ${who.padEnd(6)} ${what}`)
    return (told.length > lines ? [`          … ${told.length - lines} earlier happenings`, ...shown] : shown).join(
      '\n',
    )
  }
}

/** How far back a happening is looked for; a poll of an execution in progress is a round of four. */
const roundLength = 6

/** What only repeats what was told just before is left out. */
function withoutRounds(happenings: Happening[]): Happening[] {
  const kept: Happening[] = []
  const recent: string[] = []
  for (const happening of happenings) {
    const text = `${happening.who === 'agent' ? happening.atMs : ''} ${happening.what}`
    if (!recent.includes(text)) kept.push(happening)
    recent.push(text)
    if (recent.length > roundLength) recent.shift()
  }
  return kept
}
