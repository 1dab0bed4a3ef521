// What this room knows of the machine, given by the caller: nothing here reads the process's own environment.
import path from 'node:path'
import { ClientConfigError } from './client-config-error.ts'

/** Where we run and for whom. */
export interface Environment {
  /** The user's home folder, absolute. */
  home: string
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  /** The working directory, absolute: the project of project scope. */
  cwd: string
  /** Our own data folder, absolute. */
  dataFolder: string
}

/** Path functions of the platform that the environment names. */
export function pathOf({ platform }: Pick<Environment, 'platform'>): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix
}

/** A variable that is set and not blank. */
export function variable({ env }: Pick<Environment, 'env'>, name: string): string | undefined {
  const value = env[name]
  return value === undefined || value.trim() === '' ? undefined : value
}

/** `$XDG_CONFIG_HOME`, else `~/.config`; most command line clients use it on every system. */
export function configFolder(environment: Pick<Environment, 'home' | 'env' | 'platform'>): string {
  return variable(environment, 'XDG_CONFIG_HOME') ?? pathOf(environment).join(environment.home, '.config')
}

/** The folder in which desktop programs keep their settings: XDG, Application Support or `%APPDATA%`. */
export function applicationFolder(environment: Pick<Environment, 'home' | 'env' | 'platform'>): string {
  const { home, platform } = environment
  if (platform === 'darwin') return path.posix.join(home, 'Library', 'Application Support')
  if (platform === 'win32') return variable(environment, 'APPDATA') ?? path.win32.join(home, 'AppData', 'Roaming')
  return configFolder(environment)
}

/** Refuses a home folder that is none: paths in it would mean the working directory. Throws `setup_refused`. */
export function requireHome(environment: Pick<Environment, 'home' | 'platform' | 'dataFolder'>): void {
  const { isAbsolute } = pathOf(environment)
  if (isAbsolute(environment.home) && isAbsolute(environment.dataFolder)) return
  throw new ClientConfigError(
    'setup_refused',
    'HOME is empty or no absolute path, so nobody knows where the files of clients are; set it to your home folder',
  )
}

/** A path as people are shown it: from `~` where it lies in the home folder. */
export function fromHome(path: string, { home }: Pick<Environment, 'home'>): string {
  return path.startsWith(`${home}/`) || path.startsWith(`${home}\\`) ? `~${path.slice(home.length)}` : path
}
