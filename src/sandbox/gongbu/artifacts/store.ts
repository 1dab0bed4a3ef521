// Stored artifacts: rows in the database, bytes in files.
import { createHash } from 'node:crypto'
import type { SqliteDatabase } from '../../../storage/database.ts'
import type { ArtifactFiles } from './files.ts'
import { takeIn, type ArtifactLimits } from './intake.ts'

/** One artifact. */
export interface Artifact {
  artifactId: string
  executionId: string
  attemptId: string
  ordinal: number
  mediaType: string
  sizeBytes: number
  sha256: string
  width: number
  height: number
  storageKey: string
  createdAt: string
}

/** An image as the provider handed it over. */
export interface ProviderImage {
  mediaType: string
  bytes: Buffer
}

/** The fault that can be injected: refuse before storing, or store and lose the answer. */
export type ArtifactFault = 'none' | 'proven_before_mutation' | 'commit_then_disconnect'

/** One picture, and which execution and attempt it belongs to. */
export interface ArtifactToStore {
  executionId: string
  attemptId: string
  ordinal: number
  image: ProviderImage
  /** Instead of the store's own fault. */
  fault?: ArtifactFault
}

/** Stored (now or by an earlier delivery), or refused with the code that the execution shows. */
export type Stored = { kind: 'stored' } | { kind: 'refused'; code: string }

/** Bytes for a download; `corrupt` when the file is not what was stored. */
export type ArtifactBytes =
  { kind: 'found'; artifact: Artifact; bytes: Buffer } | { kind: 'corrupt' } | { kind: 'unknown' }

/** Artifacts: their rows, and their bytes in files. A row stands for bytes that are on disk. */
export interface ArtifactStore {
  isWritable(): Promise<boolean>
  store(toStore: ArtifactToStore): Promise<Stored>
  /** In the order of their creation. */
  list(executionId: string): Artifact[]
  /** Whether any artifact comes from this attempt. */
  hasAny(attemptId: string): boolean
  byId(artifactId: string): Artifact | undefined
  read(artifactId: string): Promise<ArtifactBytes>
}

const extensions: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg' }

/** Opens the store on a migrated database. */
export function openArtifactStore(
  database: SqliteDatabase,
  files: ArtifactFiles,
  options: { limits: ArtifactLimits; now: () => Date; newId: () => string; fault?: ArtifactFault },
): ArtifactStore {
  const { limits, now, newId } = options
  const selected = `artifact_id AS artifactId, execution_id AS executionId, attempt_id AS attemptId, ordinal,
    media_type AS mediaType, size_bytes AS sizeBytes, sha256, width, height, storage_key AS storageKey,
    created_at AS createdAt`
  const list = database.prepare(
    `SELECT ${selected} FROM artifacts WHERE execution_id = ? ORDER BY created_at, artifact_id`,
  )
  const byId = database.prepare(`SELECT ${selected} FROM artifacts WHERE artifact_id = ?`)
  const ofAttempt = database
    .prepare('SELECT 1 FROM artifacts WHERE attempt_id = ? AND ordinal = coalesce(?, ordinal) LIMIT 1')
    .pluck()
  const insert = database.prepare(
    `INSERT INTO artifacts VALUES (@artifactId, @executionId, @attemptId, @ordinal, @mediaType, @sizeBytes, @sha256,
       @width, @height, @storageKey, @createdAt)`,
  )
  const find = (artifactId: string) => byId.get(artifactId) as Artifact | undefined
  const ofExecution = (executionId: string) => list.all(executionId) as Artifact[]

  return {
    isWritable: () => files.isWritable(),
    list: ofExecution,
    byId: find,
    hasAny: (attemptId) => ofAttempt.get(attemptId, null) !== undefined,
    async store({ executionId, attemptId, ordinal, image, fault = options.fault }) {
      if (ofAttempt.get(attemptId, ordinal) !== undefined) return { kind: 'stored' }
      if (fault === 'proven_before_mutation') return { kind: 'refused', code: 'mock_artifact_persistence_failed' }
      const earlier = ofExecution(executionId)
      const intake = takeIn(image.mediaType, image.bytes, limits)
      if (intake.kind === 'refused' || earlier.length >= limits.maximumArtifacts)
        return { kind: 'refused', code: 'artifact_policy_failure' }
      const artifactId = newId()
      const storageKey = `executions/${executionId}/${artifactId}.${extensions[image.mediaType]}`
      await files.write(storageKey, image.bytes)
      insert.run({
        artifactId,
        executionId,
        attemptId,
        ordinal,
        mediaType: image.mediaType,
        sizeBytes: image.bytes.length,
        sha256: sha256(image.bytes),
        width: intake.width,
        height: intake.height,
        storageKey,
        createdAt: after(earlier.at(-1)?.createdAt, now()),
      })
      if (fault === 'commit_then_disconnect') return { kind: 'refused', code: 'mock_artifact_persistence_disconnect' }
      return { kind: 'stored' }
    },
    async read(artifactId) {
      const artifact = find(artifactId)
      if (artifact === undefined) return { kind: 'unknown' }
      const bytes = await files.read(artifact.storageKey)
      if (bytes?.length !== artifact.sizeBytes || sha256(bytes) !== artifact.sha256) return { kind: 'corrupt' }
      return { kind: 'found', artifact, bytes }
    },
  }
}

/** The time now, but later than the artifact before, so that the listed order is the provider's. */
function after(previous: string | undefined, now: Date): string {
  const earliest = previous === undefined ? -Infinity : Date.parse(previous) + 1
  return new Date(Math.max(now.getTime(), earliest)).toISOString()
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
