// Which clients seem to be installed. Only looks.
import { statSync } from 'node:fs'
import { type Client } from '../clients/client.ts'
import { clients } from '../clients/client-list.ts'
import { applicationFolder, configFolder, type Environment, pathOf, variable } from '../environment.ts'

/** Programs that are not called like their client; none for those that have no command. */
const programsOf: Readonly<Record<string, readonly string[]>> = {
  'claude-desktop': [],
  cursor: ['cursor', 'cursor-agent'],
  vscode: ['code'],
  cline: [],
  roo: [],
}

/** Clients with a file or a folder of their own for this user, or whose program is on the PATH, in the order of the list. */
export function installedClients(environment: Environment): Client[] {
  const shared = new Set([environment.home, configFolder(environment), applicationFolder(environment)])
  const { dirname } = pathOf(environment)
  return clients.filter((client) => {
    const files = client.files(environment, 'user')
    if (files.some(isThere)) return true
    if (files.map((file) => dirname(file)).some((folder) => !shared.has(folder) && isThere(folder))) return true
    return (programsOf[client.name] ?? [client.name]).some((program) => isOnPath(program, environment))
  })
}

function isOnPath(program: string, environment: Environment): boolean {
  const { join, delimiter } = pathOf(environment)
  const folders = (variable(environment, 'PATH') ?? '').split(delimiter).filter((folder) => folder !== '')
  const endings = environment.platform === 'win32' ? ['.exe', '.cmd'] : ['']
  return folders.some((folder) => endings.some((ending) => isThere(join(folder, program + ending))))
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
