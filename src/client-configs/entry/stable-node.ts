// The path of Node that an entry names: one that is still there after Node was upgraded.

/** What is asked of the file system. */
export interface Links {
  /** The file behind a path, or undefined when there is none. */
  realpath(path: string): string | undefined
}

/**
 * For a Node in a folder of one version, a link that is kept up to date: Homebrew's, fnm's default, mise's, or one in `folders`, those of
 * the PATH; else the path as it is. Only a link that means this very Node is taken, so no shim whose choice depends on the folder it is
 * started in.
 */
export function stableNodePath(execPath: string, { realpath }: Links, folders: readonly string[] = []): string {
  if (!namesVersion(execPath)) return execPath
  const here = realpath(execPath)
  const links = [...linksOfManagers(execPath), ...folders.filter(isLasting).map((folder) => `${folder}/node`)]
  return links.find((link) => !namesVersion(link) && realpath(link) === here) ?? execPath
}

/** Where a version manager keeps a link beside its versions. */
function linksOfManagers(execPath: string): string[] {
  const found = /^(.*)\/(Cellar\/[^/]+|node-versions|installs\/node)\/[^/]+\/(?:.*\/)?bin\/node$/.exec(execPath)
  if (found === null) return []
  const [, root, kind] = found
  switch (kind) {
    case 'node-versions':
      return [`${root}/aliases/default/bin/node`]
    case 'installs/node':
      return ['lts', 'latest'].map((name) => `${root}/${kind}/${name}/bin/node`)
    default:
      return [`${root}/opt/${kind!.slice('Cellar/'.length)}/bin/node`, `${root}/bin/node`]
  }
}

/** Folders of one shell session go with it. */
function isLasting(folder: string): boolean {
  return folder.startsWith('/') && !/^\/(?:tmp|run|private|var\/folders)\/|fnm_multishells/.test(folder)
}

/** True for a path that names one version of Node and goes away with it. */
export function namesVersion(path: string): boolean {
  return /[\\/]v?\d+\.\d+\.\d+(?:_\d+)?[\\/]/.test(path)
}
