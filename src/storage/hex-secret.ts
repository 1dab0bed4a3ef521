// A secret of 32 bytes in a file of its own: written whole under another name and linked into place, so that nobody ever reads half
// of it and nobody's is replaced.
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'

/** Undefined when there is no file. A link, a folder or other content is no secret of ours. */
export function readHexSecret(file: string): Buffer | 'unreadable' | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  if (!stat.isFile() || stat.size > 128) return 'unreadable'
  const text = readFileSync(file, 'utf8')
  return /^[0-9a-f]{64}\n?$/.test(text) ? Buffer.from(text.trim(), 'hex') : 'unreadable'
}

/** Makes the file. Throws the error of the file system, `EEXIST` when one is there already. `randomHex` gives 32 digits. */
export function placeHexSecret(file: string, randomHex: () => string): Buffer {
  const digits = randomHex() + randomHex()
  const draft = `${file}.${process.pid}.new`
  rmSync(draft, { force: true })
  const open = openSync(draft, 'wx', 0o600)
  try {
    if (process.platform !== 'win32') fchmodSync(open, 0o600)
    writeSync(open, `${digits}\n`)
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
  try {
    linkSync(draft, file)
  } finally {
    rmSync(draft)
  }
  syncFolder(path.dirname(file))
  return Buffer.from(digits, 'hex')
}

/** The name of a new file survives a loss of power only when its folder is written too. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const open = openSync(folder, 'r')
  try {
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}
