import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A folder that is gone when its scope ends: `using folder = tempFolder()`. */
export function tempFolder(): { path: string; file(name: string): string } & Disposable {
  const folder = mkdtempSync(path.join(tmpdir(), 'hubu-unified-mcp-test-'))
  return {
    path: folder,
    file: (name) => path.join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
