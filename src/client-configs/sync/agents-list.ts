// `agents`: every kind of client with its state on this machine. Only reads.
import { existsSync } from 'node:fs'
import { type Environment, pathOf } from '../environment.ts'
import { type SyncConfig } from './desired.ts'
import { findKind, type SyncKind, syncKinds } from './kind.ts'
import { expandHome } from './sync-agent.ts'

/** One row: an agent of the configuration, or a kind without one. */
export interface AgentRow {
  type: string
  path: string
  state: 'configured' | 'available' | 'not_installed'
  name?: string
  mode?: 'gateway' | 'direct'
  enabled?: boolean
}

/** Agents of the configuration first where there are some of a kind; a kind is available when its file or folder is there. */
export function listAgents(config: SyncConfig, environment: Environment): AgentRow[] {
  return syncKinds(environment).flatMap((kind): AgentRow[] => {
    const configured = Object.entries(config.agents).filter(([, agent]) => isOfKind(agent.type, kind, environment))
    if (configured.length > 0) {
      return configured.map(([name, agent]) => ({
        type: kind.name,
        path: expandHome(agent.path, environment),
        state: 'configured',
        name,
        mode: agent.mode ?? 'gateway',
        enabled: agent.disabled !== true,
      }))
    }
    const files = kind.files(environment)
    const found = files.find((file) => existsSync(file)) ?? files[0]!
    const isHere = existsSync(found) || hasOwnFolder(found, environment)
    return [{ type: kind.name, path: found, state: isHere ? 'available' : 'not_installed' }]
  })
}

/** The table for people. */
export function agentsText(rows: readonly AgentRow[]): string {
  return rows
    .map((row) => {
      const use =
        row.name === undefined ? '' : `${row.name} (${row.mode}${row.enabled === false ? ', disabled' : ''})  `
      return `${row.type.padEnd(15)}  ${row.state.padEnd(13)}  ${use}${row.path}\n`
    })
    .join('')
}

function isOfKind(type: string, kind: SyncKind, environment: Environment): boolean {
  try {
    return findKind(type, environment).name === kind.name
  } catch {
    return false
  }
}

/** The folder of a client says that it was used, unless it is one that everybody has. */
function hasOwnFolder(file: string, environment: Environment): boolean {
  const { dirname } = pathOf(environment)
  return dirname(file) !== environment.home && existsSync(dirname(file))
}
