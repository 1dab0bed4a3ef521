// The path of Node that an entry names: one that is still there after Node was upgraded.

/** What is asked of the file system. */
export interface Links {
  /** The file behind a path, or undefined when there is none. */
  realpath(path: string): string | undefined
}

/**
 * For a Node in Homebrew's folder of one version, the link to it that Homebrew keeps up to date; else the path as it is.
 * Only a link that means this very Node is taken.
 */
export function stableNodePath(execPath: string, { realpath }: Links): string {
  const found = /^(.*)\/Cellar\/([^/]+)\/[^/]+\/bin\/node$/.exec(execPath)
  if (found === null) return execPath
  const [, prefix, formula] = found
  const links = [`${prefix}/opt/${formula}/bin/node`, `${prefix}/bin/node`]
  return links.find((link) => realpath(link) === realpath(execPath)) ?? execPath
}

/** True for a path that names one version of Node and goes away with it. */
export function namesVersion(path: string): boolean {
  return /[\\/]v?\d+\.\d+\.\d+[\\/]/.test(path)
}
