// Every client that `init` can set up, in the order in which they are listed.
import { ClientConfigError } from '../client-config-error.ts'
import { type Client } from './client.ts'
import { claude } from './claude.ts'
import { claudeDesktop } from './claude-desktop.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { crush } from './crush.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { hermes } from './hermes.ts'
import { kilo } from './kilo.ts'
import { kimi } from './kimi.ts'
import { opencode } from './opencode.ts'
import { qwen } from './qwen.ts'
import { unwired } from './unwired.ts'
import { vscode } from './vscode.ts'
import { windsurf } from './windsurf.ts'
import { zed } from './zed.ts'

/** All of them. */
export const clients: readonly Client[] = [
  codex,
  claude,
  claudeDesktop,
  cursor,
  vscode,
  gemini,
  qwen,
  opencode,
  copilot,
  crush,
  kilo,
  kimi,
  hermes,
  windsurf,
  zed,
]

/** The client of that name or alias. Throws `usage` with the names there are, or with why that client is not wired. */
export function findClient(name: string): Client {
  const found = clients.find((client) => client.name === name || client.aliases?.includes(name))
  if (found !== undefined) return found
  const other = unwired.find((client) => client.name === name)
  if (other !== undefined) throw new ClientConfigError('usage', other.reason)
  const names = clients.map((client) => client.name).join(', ')
  throw new ClientConfigError('usage', `there is no client "${name}"; known are ${names}`)
}
