import { createHash } from 'node:crypto'
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import type { Archive } from '../../results/archive.ts'
import type { Clock } from '../../timing/clock.ts'
import { blobsIn } from '../../results/blobs.ts'
import type { StoredResult } from '../../results/statements.ts'
import { faultInWords, StoreFailure } from '../../results/store-failure.ts'
import { plainAppearance, type Appearance } from '../../terminal/appearance.ts'
import { cleanJson } from '../../terminal/foreign-text.ts'
import { findId } from '../../terminal/short-ids.ts'
import { listJson, storedText } from './results-list.ts'

/** Where the jobs write, and what time it is. */
export interface JobOptions {
  stdout: NodeJS.WritableStream & { isTTY?: boolean }
  stderr: NodeJS.WritableStream
  /** Takes the bytes of a result as they are. */
  bytesOut: NodeJS.WritableStream
  clock: Pick<Clock, 'nowMs'>
  /** How texts on stdout may look; plain when missing. */
  look?: Appearance
}

/** What `results get` was told. */
export interface GetFlags {
  output?: string
  /** `true` when no number is given. */
  extract?: number | true
}

/** What `results prune` was told. */
export interface PruneFlags {
  /** Results that have not expired, too. */
  all?: boolean
  quiet?: boolean
}

/** The stored bytes are not those whose hash was kept. */
class WrongHash extends Error {}

/** The commands of `results`; each gives the exit code. */
export function createResultsJobs({ stdout, stderr, bytesOut, clock, look = plainAppearance }: JobOptions) {
  const fail = (message: string): number => {
    stderr.write(`hubu-unified-mcp: ${message}\n`)
    return 1
  }

  async function list(archive: Archive, flags: { json?: boolean; full?: boolean }): Promise<number> {
    try {
      const [results, calls] = [await archive.list(), await archive.calls()]
      const shown = flags.full ? { ...look, isTerminal: false } : look
      stdout.write(flags.json ? listJson(results, calls) : storedText(results, calls, clock.nowMs(), shown))
      return 0
    } catch (error) {
      return fail(faultInWords(StoreFailure.from(error).fault))
    }
  }

  async function get(archive: Archive, callId: string, flags: GetFlags): Promise<number> {
    const number = flags.extract === true ? 1 : flags.extract
    try {
      const result = (await archive.find(callId)) ?? (await startingWith(archive, callId))
      if (typeof result === 'string') return fail(result)
      if (result === undefined) return fail('No result is stored under this id. Results are kept for 24 hours.')
      const bytes = checked(result, archive.bytes(result))
      return number === undefined ? await send(bytes, flags.output) : await extract(bytes, number, flags.output)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === 'EPIPE') return 0
      if (error instanceof WrongHash)
        return fail('The stored result is damaged: its hash is not the one that was kept.')
      if (error instanceof StoreFailure) return fail(faultInWords(error.fault))
      if (code === undefined) throw error
      return fail(`The file cannot be written (${code}).`)
    }
  }

  /** The result whose id begins so, or that there are several. */
  async function startingWith(archive: Archive, typed: string): Promise<StoredResult | string | undefined> {
    const results = await archive.list()
    const all = [...results, ...(await archive.calls())].map(({ callId }) => callId)
    const found = findId(typed, [...new Set(all)])
    if (found.kind === 'several') return `Several ids begin so: ${found.ids.join(', ')}. Give more of it.`
    return found.kind === 'none' ? undefined : results.find(({ callId }) => callId === found.id)
  }

  async function extract(bytes: AsyncIterable<Buffer>, number: number, output: string | undefined): Promise<number> {
    const parts: Buffer[] = []
    for await (const part of bytes) parts.push(part)
    const blobs = blobsIn(Buffer.concat(parts).toString())
    const blob = blobs[number - 1]
    if (blob === undefined) return fail(`The result holds ${blobs.length === 0 ? 'no file' : `only ${blobs.length}`}.`)
    if (output === undefined && stdout.isTTY) return fail('Give -o FILE; the bytes of a file are not for a terminal.')
    if (blobs.length > 1) stderr.write(`File ${number} of ${blobs.length}: ${blob.mediaType}.\n`)
    return send([blob.bytes], output)
  }

  async function send(bytes: AsyncIterable<Buffer> | Iterable<Buffer>, output: string | undefined): Promise<number> {
    if (output === undefined && stdout.isTTY) await show(bytes)
    else if (output === undefined) await pipeline(Readable.from(bytes), bytesOut, { end: false })
    else await writeWhole(output, bytes)
    return 0
  }

  /** A terminal gets text only, and obeys none of it. */
  async function show(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    const decoder = new StringDecoder('utf8')
    for await (const part of bytes) stdout.write(cleanJson(decoder.write(part)))
    stdout.write(cleanJson(decoder.end()))
  }

  async function prune(archive: Archive, { all = false, quiet = false }: PruneFlags): Promise<number> {
    const say = (text: string) => void (quiet || stdout.write(text))
    try {
      const removed = await archive.prune(all)
      say(`Removed ${removed} ${removed === 1 ? 'result' : 'results'}.\n`)
      return 0
    } catch (error) {
      const { fault } = StoreFailure.from(error)
      if (fault !== 'damaged') return fail(faultInWords(fault))
      const place = archive.setAside()
      say(`The store was damaged. It lies in ${place} now, and the next result begins a new one.\n`)
      return 0
    }
  }

  return { list, get, prune }
}

/** The same bytes; throws behind the last one when they are not those that were stored. */
async function* checked(result: StoredResult, bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const hash = createHash('sha256')
  for await (const part of bytes) {
    hash.update(part)
    yield part
  }
  if (hash.digest('hex') !== result.sha256) throw new WrongHash()
}

/** Writes a file that is there whole or not at all; what is no plain file, such as a pipe, is written as it is. */
async function writeWhole(file: string, bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
  const present = statSync(file, { throwIfNoEntry: false })
  if (present !== undefined && !present.isFile()) return pipeline(Readable.from(bytes), createWriteStream(file))
  const draft = `${file}.part-${process.pid}`
  try {
    // Not a stream: that one may still be opening the draft when it is removed below.
    await writeFile(draft, bytes, { flag: 'wx' })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
