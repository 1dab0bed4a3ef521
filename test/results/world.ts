// A room of stored results in a temporary folder, with a clock that moves by hand.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { OkPage, ResultReceipt } from '#generated/types/router.js'
import { relayObject } from '../../src/answers/relay.ts'
import type { ToolResult } from '../../src/answers/answer.ts'
import type { RelayedResult } from '../../src/answers/relayed-result.ts'
import { noFindings } from '../../src/json/findings.ts'
import { createResults, type ResultsOptions, type ToolScope } from '../../src/results/results.ts'
import { readOnly } from '../../src/storage/database.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { realClock } from '../../src/timing/clock.ts'

/** Where results come from unless a test says otherwise: an agent and its server. */
export const vecgrep = { server: 'vecgrep', tool: 'search', namespaced: 'vecgrep__search' }

/** A result with one text block. */
export function textResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }] }
}

/** What a test wants otherwise. */
interface WorldChanges extends Partial<ResultsOptions> {
  folder?: ReturnType<typeof tempFolder>
  isInScope?: ToolScope
  /** Who stores and reads; default: local. */
  principal?: string
  /** Whether whoever reads the receipts follows links; not, unless given. */
  knowsLinks?: boolean
  /** The wall clock at the beginning. */
  wallMs?: number
}

/** Opens a world; `using` closes it. */
export function createWorld(changes: WorldChanges = {}) {
  const folder = changes.folder ?? tempFolder()
  const clock = changes.clock instanceof FakeClock ? changes.clock : new FakeClock({ wallMs: changes.wallMs })
  const warnings: string[] = []
  const options: ResultsOptions = {
    path: folder.file('results.sqlite3'),
    limitBytes: 1024 ** 3,
    budgetBytes: 512,
    // Real waiting, so that several rooms can share a file.
    clock: { ...realClock, nowMs: clock.nowMs, every: clock.every },
    random: Math.random,
    randomHex: () => randomBytes(16).toString('hex'),
    warn: (message) => warnings.push(message),
    owner: { name: 'test', host: 'here', processId: 1 },
    isAlive: () => true,
    ...changes,
  }
  const results = createResults(options)
  const viewer = { principal: changes.principal ?? 'local', isInScope: changes.isInScope ?? (() => true) }
  const world = {
    folder,
    path: options.path ?? '',
    clock,
    warnings,
    options,
    results,
    viewer,
    store: (result: ToolResult | RelayedResult, origin = vecgrep): Promise<ToolResult | undefined> =>
      results.store(origin, 'kind' in result ? result : relayObject(result), {
        revision: changes.knowsLinks === true ? '2025-06-18' : '2025-03-26',
        principal: viewer.principal,
      }),
    /** Stores and gives the receipt's own object. */
    receipt: async (result: ToolResult | RelayedResult, origin = vecgrep): Promise<ResultReceipt> => {
      const answer = await world.store(result, origin)
      if (answer === undefined) throw new Error(`not stored: ${warnings.join()}`)
      return answer.structuredContent as ResultReceipt
    },
    get: (args: object): Promise<ToolResult> => results.getResult(args, noFindings, viewer),
    page: async (args: object): Promise<OkPage> => (await world.get(args)).structuredContent as OkPage,
    /** Follows the cursors to the end. */
    readAll: async (callId: string, encoding: 'base64' | 'utf8' = 'base64') => {
      const pages: OkPage[] = []
      const parts: Buffer[] = []
      let cursor = 0
      for (;;) {
        const page = await world.page({ callId, cursor, encoding })
        pages.push(page)
        parts.push(Buffer.from(page.data, encoding))
        if (page.done) return { bytes: Buffer.concat(parts), pages }
        if (page.nextCursor <= cursor) throw new Error('the cursor stands still')
        cursor = page.nextCursor
      }
    },
    /** Prunes as it happens every hour. */
    prune: (): Promise<void> => clock.runIntervals(),
    /** Rows of a table, seen from outside; 0 while there is no file. */
    count: (table: 'stored_result' | 'result_chunk'): number =>
      existsSync(world.path)
        ? readOnly(world.path, (database) => database.prepare(`select count(*) from ${table}`).pluck().get() as number)
        : 0,
    [Symbol.dispose]: () => {
      results.close()
      if (changes.folder === undefined) folder[Symbol.dispose]()
    },
  }
  return world
}

/** The length of a value's JSON. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
