// Artifact bytes on disk: written aside, flushed, renamed, read again.
import { constants } from 'node:fs'
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/** The folder of artifact bytes. Keys are relative, `executions/{execution_id}/{artifact_id}.png|jpg`. */
export interface ArtifactFiles {
  isWritable(): Promise<boolean>
  /** Stores bytes so that they survive a crash; rejects when what can be read afterwards is not what was written. */
  write(key: string, bytes: Buffer): Promise<void>
  /** The bytes, or undefined when the file is gone or unreadable. */
  read(key: string): Promise<Buffer | undefined>
}

/** Opens the folder; `newId` names temporary files. Nothing is created before the first write. */
export function openArtifactFiles(folder: string, newId: () => string): ArtifactFiles {
  return {
    async isWritable() {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await access(folder, constants.W_OK)
        return true
      } catch {
        return false
      }
    },
    async write(key, bytes) {
      const file = path.join(folder, key)
      const parent = path.dirname(file)
      const temporary = path.join(parent, `.${newId()}.part`)
      await mkdir(parent, { recursive: true, mode: 0o700 })
      try {
        await writeThrough(temporary, bytes)
        await rename(temporary, file)
        await flushFolder(parent)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      if (!bytes.equals(await readFile(file))) throw new Error('the stored artifact differs from what was written')
    },
    async read(key) {
      try {
        return await readFile(path.join(folder, key))
      } catch {
        return undefined
      }
    },
  }
}

async function writeThrough(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A rename lasts only when its folder is flushed; where folders cannot be opened, the system takes care of it. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
