// What `try` tells a person, and the same as data. Pure.

/** What trying came to. */
export interface Tried {
  client: string
  title: string
  file: string
  /** Files that were changed; false when the entry was there already. */
  isNew: boolean
  tools: number
  tookMs: number
  /** How this program is called from where the person is. */
  program: string
  notes: readonly string[]
}

/** Three sentences for the agent: one that looks, one that buys, one that a person must allow. */
export const sentences = [
  'Which budgets does hubu show, and how much of each is left?',
  'With hubu, buy one picture of a lighthouse at night (provider sandbox, adapter fixture, model deterministic-image-v1, 1 cent) and show it to me.',
  'With hubu, buy one picture of a lighthouse at dawn with the model studio-image-v1 (250 cents), and wait until I have approved it.',
] as const

/** The whole as text. `file` is shown as it is given. */
export function triedText({ title, client, file, isNew, tools, tookMs, program, notes }: Tried): string {
  const lines = [
    `${title} ${isNew ? 'starts' : 'started already'} the sandbox now, with fictional money: ${file}`,
    `Started once as ${title} does it: ${tools} tools after ${(tookMs / 1000).toFixed(1)} s.`,
    '',
    `Start ${title} anew and type, one after the other:`,
    ...sentences.map((sentence, at) => `  ${at + 1}. ${sentence}`),
    '',
    'The third one waits for you. Approve it in a terminal:',
    `  ${program} approvals approve --sandbox`,
    'Take everything back:',
    `  ${program} try --undo --client ${client}`,
    ...notes.map((note) => `note: ${note}`),
  ]
  return `${lines.join('\n')}\n`
}

/** The same as data. */
export function triedJson({ client, file, isNew, tools, tookMs, program, notes }: Tried): object {
  return {
    client,
    path: file,
    applied: isNew,
    tools,
    took_ms: Math.round(tookMs),
    sentences,
    approve: `${program} approvals approve --sandbox`,
    undo: `${program} try --undo --client ${client}`,
    notes,
  }
}
