import { createHash } from 'node:crypto'
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Archive } from '../../results/archive.ts'
import { blobsIn } from '../../results/blobs.ts'
import type { StoredResult } from '../../results/statements.ts'
import { inWords, StoreFailure } from '../../results/store-failure.ts'

/** Where the jobs write. */
export interface JobStreams {
  stdout: NodeJS.WritableStream & { isTTY?: boolean }
  stderr: NodeJS.WritableStream
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
export function createResultsJobs({ stdout, stderr }: JobStreams) {
  const fail = (message: string): number => {
    stderr.write(`hubu-unified-mcp: ${message}\n`)
    return 1
  }

  async function list(archive: Archive, flags: { json?: boolean }): Promise<number> {
    try {
      const found = await archive.list()
      stdout.write(flags.json ? `${JSON.stringify({ results: found.map(toJson) }, null, 2)}\n` : toTable(found))
      return 0
    } catch (error) {
      return fail(inWords(StoreFailure.from(error).fault))
    }
  }

  async function get(archive: Archive, callId: string, flags: GetFlags): Promise<number> {
    const number = flags.extract === true ? 1 : flags.extract
    try {
      const result = await archive.find(callId)
      if (result === undefined) return fail('No result is stored under this id. Results are kept for 24 hours.')
      const bytes = checked(result, archive.bytes(result))
      return number === undefined ? await send(bytes, flags.output) : await extract(bytes, number, flags.output)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === 'EPIPE') return 0
      if (error instanceof WrongHash)
        return fail('The stored result is damaged: its hash is not the one that was kept.')
      if (error instanceof StoreFailure) return fail(inWords(error.fault))
      if (code === undefined) throw error
      return fail(`The file cannot be written (${code}).`)
    }
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
    if (output === undefined) await pipeline(Readable.from(bytes), stdout, { end: false })
    else await writeWhole(output, bytes)
    return 0
  }

  async function prune(archive: Archive, { all = false, quiet = false }: PruneFlags): Promise<number> {
    const say = (text: string) => void (quiet || stdout.write(text))
    try {
      const removed = await archive.prune(all)
      say(`Removed ${removed} ${removed === 1 ? 'result' : 'results'}.\n`)
      return 0
    } catch (error) {
      const { fault } = StoreFailure.from(error)
      if (fault !== 'damaged') return fail(inWords(fault))
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
    await pipeline(Readable.from(bytes), createWriteStream(draft, { flags: 'wx' }))
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function toJson({ createdAtMs, expiresAtMs, ...rest }: StoredResult): object {
  return { ...rest, createdAt: new Date(createdAtMs).toISOString(), expiresAt: new Date(expiresAtMs).toISOString() }
}

function toTable(results: readonly StoredResult[]): string {
  if (results.length === 0) return 'Nothing is stored.\n'
  // Names come from servers, and a terminal obeys control characters.
  const rows = results.map(({ callId, totalBytes, tool, mediaType, isError, createdAtMs, expiresAtMs }) => [
    callId,
    String(totalBytes),
    `${tool}${mediaType === null ? '' : ` (${mediaType})`}${isError ? ' (error)' : ''}`.replaceAll(
      /\p{Cc}/gu,
      '\ufffd',
    ),
    new Date(createdAtMs).toISOString(),
    new Date(expiresAtMs).toISOString(),
  ])
  const head = ['CALL ID', 'BYTES', 'TOOL', 'STORED', 'EXPIRES']
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  const toLine = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  return `${[head, ...rows].map(toLine).join('\n')}\n`
}
