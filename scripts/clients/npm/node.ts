import path from 'node:path'
import { installPackages } from './install.ts'

/** Node.js of other majors than ours; npm carries the binaries as packages, one for each platform. */
export const nodeVersions = ['22.23.5', '24.22.3', '26.12.1'] as const

/** A version whose binary can be fetched. */
export type NodeVersion = (typeof nodeVersions)[number]

/** The binary of a version, below the folder, or why there is none. */
export function fetchNode(folder: string, version: NodeVersion): { node: string } | { reason: string } {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const installed = installPackages(path.join(folder, `node-${version}`), [`${name}@${version}`])
  if ('reason' in installed) return installed
  return { node: path.join(installed.modules, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node') }
}
