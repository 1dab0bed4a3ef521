import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { buildInto } from '../build.ts'
import { benchStamp } from './stub-backends.ts'

/**
 * Builds what a revision of this repository held, by its own build script, into a folder of its own below `folder`, and returns
 * its bin. It takes the packages that are installed here, so `folder` must lie below them. Throws when git does not know the
 * revision.
 */
export async function buildRevision(root: string, revision: string, folder: string): Promise<string> {
  const sources = path.join(folder, 'sources')
  mkdirSync(sources, { recursive: true })
  const archive = execFileSync('git', ['archive', '--format=tar', revision], { cwd: root, maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x', '-C', sources], { input: archive })
  const script = pathToFileURL(path.join(sources, 'scripts/build.ts')).href
  const former = (await import(script)) as { buildInto: typeof buildInto }
  await former.buildInto(path.join(sources, 'dist'), benchStamp)
  return path.join(sources, 'dist', 'main.js')
}

/** What "before" means when nobody says: the last commit while there are changes beside it, else the one before it. */
export function formerRevision(root: string): string {
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  return changes.trim() === '' ? 'HEAD~1' : 'HEAD'
}
