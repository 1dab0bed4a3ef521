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

function put(file: string) {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, '')
}

/** A Homebrew prefix with two versions of Node, of which links mean one. */
function homebrew(folder: string, linked: string) {
  const exec = (version: string) => path.join(folder, 'Cellar/node', version, 'bin/node')
  for (const version of ['20.20.2', '22.1.0']) put(exec(version))
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

  it.each([
    [
      'fnm/node-versions/v22.1.0/installation/bin/node',
      'fnm/aliases/default',
      'fnm/node-versions/v22.1.0/installation',
    ],
    ['mise/installs/node/22.1.0/bin/node', 'mise/installs/node/lts', 'mise/installs/node/22.1.0'],
  ])('is the link of the version manager that has %s', (exec, link, target) => {
    using folder = tempFolder()
    put(folder.file(exec))
    mkdirSync(path.dirname(folder.file(link)), { recursive: true })
    symlinkSync(folder.file(target), folder.file(link))
    expect(stableNodePath(folder.file(exec), { realpath })).toBe(path.join(folder.file(link), 'bin/node'))
  })

  it('is a link of the PATH that means it, and no shim that chooses by the folder it is started in', () => {
    const [exec, shim, link] = [
      '/home/ada/.nvm/versions/node/v22.1.0/bin/node',
      '/home/ada/.volta/bin',
      '/usr/local/bin',
    ]
    const real = (file: string) => (file === `${link}/node` ? exec : file)
    expect(stableNodePath(exec, { realpath: real }, [shim, link])).toBe(`${link}/node`)
    expect(stableNodePath(exec, { realpath: real }, [shim])).toBe(exec)
    const session = '/run/user/1000/fnm_multishells/1_2/bin'
    expect(stableNodePath(exec, { realpath: () => exec }, [session, path.dirname(exec)])).toBe(exec)
  })

  it('is known to go away with its version', () => {
    expect(namesVersion('/home/ada/.nvm/versions/node/v20.20.2/bin/node')).toBe(true)
    expect(namesVersion('/opt/homebrew/Cellar/node/22.1.0_1/bin/node')).toBe(true)
    expect(namesVersion('/opt/homebrew/opt/node/bin/node')).toBe(false)
  })
})
