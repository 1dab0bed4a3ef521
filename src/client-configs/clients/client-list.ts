// Every client that `init` can set up, in the order in which they are listed.
import { ClientConfigError } from '../client-config-error.ts'
import { nearest } from '../../names/nearest.ts'
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
import { plainClients } from './plain-clients.ts'
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
  ...plainClients,
]

/** Why clients that people ask for are not set up, with what to do instead. */
const reasonsAgainst: Readonly<Record<string, string>> = {
  goose:
    'Goose is not set up by init: its default mode runs every tool without asking. Add the server with `goose configure` and use its approve mode.',
  'lm-studio':
    'LM Studio is not set up by init: nothing readable says whether it asks. Add the server in its mcp.json.',
  continue: 'Continue is not set up by init: paste what `init --print yaml` gives into its config.yaml.',
  qoder: 'Qoder is not set up by init: use its own `mcp add` with the command that `init --print` gives.',
  vibe: 'Vibe is not set up by init: paste what `init --print toml` gives into its config.toml.',
  warp: 'Warp is not set up by init: paste what `init --print` gives into its MCP settings.',
}

/**
 * The client of that name or alias. Throws `usage` with the nearest name and what to do for other clients, or with why that
 * client is not set up.
 */
export function findClient(name: string): Client {
  const word = name.toLowerCase()
  const found = clients.find((client) => client.name === word || client.aliases?.includes(word))
  if (found !== undefined) return found
  const reason = Object.hasOwn(reasonsAgainst, word) ? reasonsAgainst[word] : undefined
  if (reason !== undefined) throw new ClientConfigError('usage', reason)
  const names = clients.map((client) => client.name)
  const meant = nearest(word, [...names, ...clients.flatMap((client) => client.aliases ?? [])])
  throw new ClientConfigError(
    'usage',
    `there is no client "${name}"${meant === undefined ? '' : `; did you mean ${meant}?`}; known are ${names.join(', ')}. ` +
      'For any other client, init --print json (or toml, yaml) prints an entry to paste',
  )
}
