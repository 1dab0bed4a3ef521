import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { namesVersion, stableNodePath } from '../../src/client-configs/entry/stable-node.ts'
import { tempFolder } from '../support/temp-folder.ts'

const realpath = (file: string): string | undefined => {
  try {
    return realpathSync(file)
  } catch {
    return undefined
  }
}

/** A Homebrew prefix with two versions of Node, of which links mean one. */
function homebrew(folder: string, linked: string) {
  const exec = (version: string) => path.join(folder, 'Cellar/node', version, 'bin/node')
  for (const version of ['20.20.2', '22.1.0']) {
    mkdirSync(path.dirname(exec(version)), { recursive: true })
    writeFileSync(exec(version), '')
  }
  for (const name of ['opt', 'bin']) mkdirSync(path.join(folder, name))
  symlinkSync(path.join(folder, 'Cellar/node', linked), path.join(folder, 'opt/node'))
  return exec
}

describe('the path of Node in an entry', () => {
  it('is the link that Homebrew keeps up to date', () => {
    using folder = tempFolder()
    const exec = homebrew(folder.path, '20.20.2')
    expect(stableNodePath(exec('20.20.2'), { realpath })).toBe(path.join(folder.path, 'opt/node/bin/node'))
  })

  it('is the path itself where the link means another version, or there is none', () => {
    using folder = tempFolder()
    const exec = homebrew(folder.path, '22.1.0')
    expect(stableNodePath(exec('20.20.2'), { realpath })).toBe(exec('20.20.2'))
    expect(stableNodePath('/usr/bin/node', { realpath })).toBe('/usr/bin/node')
  })

  it('is known to go away with its version', () => {
    expect(namesVersion('/home/ada/.nvm/versions/node/v20.20.2/bin/node')).toBe(true)
    expect(namesVersion('/opt/homebrew/opt/node/bin/node')).toBe(false)
  })
})
