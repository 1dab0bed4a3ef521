import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FetchedClients } from './fetch-clients.ts'
import type { ClientResult } from './result.ts'

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  errorMessage?: string
}

/** Runs every server scenario of the official suite against the URL, pending ones too, and reads what it wrote into the folder. */
export async function runConformance(
  clients: Pick<FetchedClients, 'node' | 'conformance'>,
  url: string,
  folder: string,
): Promise<ClientResult[]> {
  const args = [clients.conformance, 'server', '--url', url, '--suite', 'all', '--output-dir', folder]
  const child = spawn(clients.node, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  // Its exit code says that something failed; what, is in the folder.
  await once(child, 'exit')
  const results = readdirSync(folder).map((name) => toResult(name, path.join(folder, name, 'checks.json')))
  if (results.length === 0) throw new Error('the conformance suite wrote no results')
  return results.sort((a, b) => (a.scenario < b.scenario ? -1 : 1))
}

/** A result folder is called `server-<scenario>-<time>`. */
function toResult(name: string, file: string): ClientResult {
  const scenario = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name
  const checks = JSON.parse(readFileSync(file, 'utf8')) as Check[]
  const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
  return {
    client: 'conformance',
    scenario,
    failures: [...new Set(bad.map(({ id }) => id))].sort(),
    detail: bad.map(({ errorMessage }) => errorMessage ?? 'no message').join('; '),
  }
}
