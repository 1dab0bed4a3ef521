import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Puts the names in a folder on disk: a file that was renamed into it survives a power failure after that. Nothing on Windows. */
export function syncFolder(folder: string, platform: NodeJS.Platform): void {
  if (platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
