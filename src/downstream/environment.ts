import { existsSync } from 'node:fs'
import path from 'node:path'

/** How programs find their way out of a company's network: through its proxy, past its certificates, to its packages. */
const network = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'NODE_USE_ENV_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'PIP_CERT', 'GIT_SSL_CAINFO'],
  ...['npm_config_registry', 'NPM_CONFIG_REGISTRY', 'npm_config_cafile', 'NPM_CONFIG_CAFILE'],
]

/** Variables that a child inherits besides: enough to find programs, a home and a terminal. */
const inherited = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']
const inheritedOnWindows = [
  ...['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMFILES'],
  ...['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE'],
]

/** What decides a child's environment. */
export interface EnvironmentSource {
  env: Readonly<Record<string, string | undefined>>
  home: string
  platform: NodeJS.Platform
  exists?: (folder: string) => boolean
}

/**
 * The environment of a mounted server: a minimal part of ours, the further ones that its entry names, what its entry sets, and a
 * PATH that also holds the usual places of tools, so that a client started outside a login shell finds the same programs.
 */
export function childEnvironment(
  source: EnvironmentSource,
  own: Readonly<Record<string, string>> = {},
  passed: readonly string[] = [],
): Record<string, string> {
  const { env, platform } = source
  const kept: Record<string, string> = {}
  for (const name of [...(platform === 'win32' ? inheritedOnWindows : inherited), ...network, ...passed]) {
    const value = env[name]
    // A shell function in a variable would be run by a shell that reads it.
    if (value !== undefined && !value.startsWith('()')) kept[name] = value
  }
  return { ...kept, PATH: extendedPath(source), ...own }
}

/** PATH with the existing ones of the usual folders appended. */
function extendedPath({ env, home, platform, exists = existsSync }: EnvironmentSource): string {
  const delimiter = platform === 'win32' ? ';' : ':'
  const present = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const usual = [
    '/opt/homebrew/bin',
    '/usr/local/bin',
    ...['.local/bin', 'go/bin', '.bun/bin'].map((folder) => path.posix.join(home, folder)),
  ]
  const added = platform === 'win32' ? [] : usual.filter((folder) => !present.includes(folder) && exists(folder))
  return [...present, ...added].join(delimiter)
}
