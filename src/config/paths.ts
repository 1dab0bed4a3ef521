import { homedir } from 'node:os'
import path from 'node:path'
import type { Variables } from './environment.ts'

/** What decides where files belong: given, so that tests need no real home. */
export interface Place {
  env: Variables
  home: string
  platform: NodeJS.Platform
}

/** The user's home; empty where the system knows none, as for a user without a name in a container. */
export function homeFolder(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}

const product = 'hubu-unified-mcp'

/** The user's folder for our configuration. */
export function ownConfigFolder({ env, home, platform }: Place): string {
  if (platform === 'win32') return path.join(env.APPDATA || path.join(home, 'AppData', 'Roaming'), product)
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', product)
  return path.join(absolute(env.XDG_CONFIG_HOME) ?? path.join(home, '.config'), product)
}

/** The user's folder for what we keep: stored results, the sandbox. */
export function dataFolder({ env, home, platform }: Place): string {
  if (platform === 'win32') return path.join(env.LOCALAPPDATA || path.join(home, 'AppData', 'Local'), product)
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', product)
  return path.join(absolute(env.XDG_DATA_HOME) ?? path.join(home, '.local', 'share'), product)
}

/** The XDG rules ignore a relative path. */
function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined
}
