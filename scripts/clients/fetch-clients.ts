import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The fetched programs, and the Node.js that runs them. */
export interface FetchedClients {
  node: string
  inspector: string
  conformance: string
}

/** What is fetched, in exact versions: the list of expected failures belongs to these. */
const packages = {
  inspector: '@modelcontextprotocol/inspector@1.0.3',
  conformance: '@modelcontextprotocol/conformance@0.1.16',
}

/** A Node.js that both run on; npm carries its binaries as packages, one for each platform. */
const newerNode = '22.23.3'
const leastMajor = 22

/**
 * Fetches both clients into the folder, once, without running any install script. Throws with what to do when npm cannot
 * fetch them or has no Node.js for this platform.
 */
export function fetchClients(folder: string): Promise<FetchedClients> {
  const modules = path.join(folder, 'node_modules')
  const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const isNewEnough = Number(process.versions.node.split('.')[0]) >= leastMajor
  const wanted = [...Object.values(packages), ...(isNewEnough ? [] : [`${nodePackage}@${newerNode}`])]
  const stamp = path.join(folder, `fetched ${wanted.join(' ').replaceAll('/', '-')}`)
  if (!existsSync(stamp)) {
    mkdirSync(folder, { recursive: true })
    const args = [
      'install',
      '--prefix',
      folder,
      '--ignore-scripts',
      '--no-save',
      '--no-fund',
      '--no-audit',
      '--loglevel=error',
    ]
    const { status } = spawnSync('npm', [...args, ...wanted], { stdio: 'inherit', shell: process.platform === 'win32' })
    if (status !== 0) {
      const advice = isNewEnough
        ? ''
        : ` Run this under Node.js ${leastMajor} or newer if ${nodePackage} is what is missing.`
      throw new Error(`npm could not fetch ${wanted.join(', ')}.${advice}`)
    }
    writeFileSync(stamp, '')
  }
  return Promise.resolve({
    node: isNewEnough
      ? process.execPath
      : path.join(modules, nodePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
    inspector: path.join(modules, '@modelcontextprotocol/inspector/cli/build/cli.js'),
    conformance: path.join(modules, '@modelcontextprotocol/conformance/dist/index.js'),
  })
}
