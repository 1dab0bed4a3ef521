import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { RecordedStep } from '../golden/calls/world.ts'
import { folders, readGolden } from '../golden/recording.ts'

/** One accepted call: who was called with what, and the answer. */
export interface GoldenCall {
  file: string
  name: string
  args: unknown
  answer: { result?: GoldenResult; error?: { code: number; message: string; data?: unknown } }
}

/** A tool result as golden files hold it. */
export interface GoldenResult {
  content: { type: string; text?: string }[]
  structuredContent?: unknown
  isError?: boolean
}

const filesIn = (folder: string): string[] =>
  readdirSync(path.join(folders.golden, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folders.golden, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort()

/** Every step of every golden case. */
function goldenSteps(): { file: string; step: RecordedStep }[] {
  return filesIn('calls').flatMap((file) =>
    (readGolden(file) as { steps: RecordedStep[] }).steps.map((step) => ({ file, step })),
  )
}

/** Every call of a client in golden/calls. */
export function goldenCalls(): GoldenCall[] {
  return goldenSteps().flatMap(({ file, step }) => {
    if (typeof step.request === 'string') return []
    const { name, arguments: args = {} } = (step.request as { params: { name: string; arguments?: unknown } }).params
    return [{ file, name, args, answer: step.answer as GoldenCall['answer'] }]
  })
}

/** Every JSON value that crosses a border in golden/: bodies both ways, results, error data, snapshots, statuses. */
export function goldenValues(): unknown[] {
  const crossing = goldenSteps().flatMap(({ step }): unknown[] => {
    const answers = step.http.map(({ response }) =>
      typeof response === 'object' && 'json' in response ? response.json : null,
    )
    const bodies = step.http.map(({ request }) => (request.body === '' ? null : (JSON.parse(request.body) as unknown)))
    const { result, error } = (step.answer ?? {}) as GoldenCall['answer']
    return [...answers, ...bodies, result?.structuredContent, error?.data, ...textsOf(result)]
  })
  const snapshots = filesIn('capabilities').map((file) => (readGolden(file) as { snapshot: unknown }).snapshot)
  const statuses = filesIn('operations').map((file) => (readGolden(file) as { status: unknown }).status)
  return [...crossing.filter((value) => value !== undefined), ...snapshots, ...statuses]
}

function textsOf(result: GoldenResult | undefined): unknown[] {
  return (result?.content ?? []).flatMap(({ text }) => (text === undefined ? [] : [JSON.parse(text) as unknown]))
}
