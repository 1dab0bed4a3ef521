import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** A path that leads to something that could keep its reader waiting, or never end. */
export class NoPlainFile extends Error {}

/**
 * The bytes of a plain file, or of what a link to one leads to. A pipe, a device or a folder is never waited for. Throws NoPlainFile for
 * those and for a file of more than `mostBytes`, whose message goes on from the name of the file, and the errors of the file system.
 */
export function readPlainFile(file: string, mostBytes: number): Buffer {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    if (!fstatSync(descriptor).isFile()) throw new NoPlainFile('is no plain file')
    const tooLarge = () => new NoPlainFile(`is larger than ${mostBytes / 1024} KiB`)
    if (fstatSync(descriptor).size > mostBytes) throw tooLarge()
    // A file may grow while it is read, and files of the system say that they are empty.
    const bytes = Buffer.alloc(mostBytes + 1)
    let length = 0
    for (let read = 1; read > 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, null)
    if (length > mostBytes) throw tooLarge()
    return bytes.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}
