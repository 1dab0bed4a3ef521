import path from 'node:path'
import { installPackages } from './npm/install.ts'

/** The fetched programs, and the Node.js that runs them. */
export interface FetchedClients {
  node: string
  inspector: string
  conformance: string
}

/** What is fetched, in exact versions: the list of expected failures belongs to these. */
const packages = ['@modelcontextprotocol/inspector@1.0.3', '@modelcontextprotocol/conformance@0.1.16']

/** Fetches both clients below the folder, or says why they are not there. */
export function fetchClients(folder: string, node: string): FetchedClients | { reason: string } {
  const installed = installPackages(path.join(folder, 'official'), packages)
  if ('reason' in installed) return installed
  return {
    node,
    inspector: path.join(installed.modules, '@modelcontextprotocol/inspector/cli/build/cli.js'),
    conformance: path.join(installed.modules, '@modelcontextprotocol/conformance/dist/index.js'),
  }
}
