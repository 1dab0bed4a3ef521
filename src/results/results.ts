// This room is answers of any size: above the budget they are stored whole, and a receipt goes out in their place.
import type { Clock } from '../timing/clock.ts'
import type { Findings } from '../json/findings.ts'
import { getResult } from './get-result.ts'
import { createDetachedStore, type DetachedStore, type DetachedStoreOptions } from './detached-store.ts'
import { removeExpired, shrink } from './prune.ts'
import { toReceipt } from './receipt.ts'
import type { Origin, ToolResult } from '../answers/answer.ts'
import { readsStructured, type AnswerReader } from '../answers/finish.ts'
import type { RelayedResult } from '../answers/relayed-result.ts'
import { createResultsFile, type ResultsFileOptions } from './results-file.ts'
import {
  listResources,
  listResourceTemplates,
  readResource,
  type ResourceList,
  type ResourceReading,
} from './resources.ts'
import { spool } from './spool.ts'
import { faultInWords, StoreFailure } from './store-failure.ts'

/** Who reads: the own results, as far as the scope goes. */
export interface ResultViewer {
  principal: string
  isInScope: ToolScope
}

/** Whether the client may see results of a server's tool. */
export type ToolScope = (server: string, tool: string) => boolean

/** Everything about oversized results, for the calls that make and fetch them. */
export interface Results {
  /**
   * Stores a result that is over the budget and gives its receipt. Undefined when the store fails, which is told in the
   * log: then the result must go out whole. Never rejects.
   */
  store(origin: Origin, result: RelayedResult, reader: AnswerReader): Promise<ToolResult | undefined>
  /** Answers get_result. Never rejects. */
  getResult(args: object, findings: Findings, viewer: ResultViewer): Promise<ToolResult>
  /** These reject with StoreFailure. */
  listResources(viewer: ResultViewer, cursor?: string): Promise<ResourceList | undefined>
  listResourceTemplates(): object
  readResource(uri: string, viewer: ResultViewer): Promise<ResourceReading>
  /** Calls in the background. */
  readonly detached: DetachedStore
  /** Ends pruning and closes the file; whatever comes later fails. */
  close(): void
}

/** One process's stored results, in a file that other processes may share. */
export interface ResultsOptions extends ResultsFileOptions, Pick<DetachedStoreOptions, 'owner' | 'isAlive'> {
  /** At least 512; 0 only for reading what was stored before. */
  budgetBytes: number
  clock: Omit<Clock, 'after'>
  /** 32 lowercase hex digits from a cryptographic source. */
  randomHex(): string
  /** One line for the log; must not throw. */
  warn(message: string): void
}

const pruneIntervalMs = 60 * 60 * 1000

/** Opens nothing yet: the file is made with the first result that is stored. Expired results go now and every hour. */
export function createResults(options: ResultsOptions): Results {
  const file = createResultsFile(options)
  const parts = { ...options, file }
  let lastFault: string | undefined

  // A store that cannot be pruned now is pruned by whoever comes next.
  async function prune(): Promise<void> {
    await removeExpired(parts)
    await shrink(parts)
  }
  const pruneQuietly = () => prune().catch(() => {})
  void pruneQuietly()
  const stopPruning = options.clock.every(pruneIntervalMs, pruneQuietly)

  function warnOnce(error: unknown): void {
    const { fault } = StoreFailure.from(error)
    if (fault === lastFault) return
    lastFault = fault
    options.warn(`${faultInWords(fault)} Oversized results go out whole.`)
  }

  return {
    async store(origin, result, reader) {
      const callId = options.randomHex()
      const { server, tool } = origin
      const header = {
        callId,
        principal: reader.principal,
        server,
        tool,
        isError: result.isError,
        mediaType: result.media?.mediaType ?? null,
      }
      try {
        const { totalBytes, sha256 } = await spool(parts, header, result.pieces())
        lastFault = undefined
        const { isError, media, firstText } = result
        const knowsLinks = readsStructured(reader)
        const { budgetBytes } = options
        return toReceipt({
          callId,
          origin,
          originalBytes: totalBytes,
          budgetBytes,
          sha256,
          isError,
          media,
          firstText,
          knowsLinks,
          hasPictures: result.pictures !== undefined && result.pictures.length > 0,
        })
      } catch (error) {
        warnOnce(error)
        return undefined
      }
    },
    getResult: (args, findings, viewer) => getResult({ ...parts, ...viewer }, args, findings),
    listResources: (viewer, cursor) => listResources({ ...parts, ...viewer }, cursor),
    listResourceTemplates,
    readResource: (uri, viewer) => readResource({ ...parts, ...viewer }, uri),
    detached: createDetachedStore(parts),
    close() {
      stopPruning()
      file.close()
    },
  }
}
