import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/**
 * Tests keep their files here. A checkout may itself lie in the machine's folder for temporary files, and `init` writes no client
 * entry for a program that will not stay.
 */
const temporary = path.join(tmpdir(), 'hubu-unified-mcp-tests')
mkdirSync(temporary, { recursive: true })

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    env: { TMPDIR: temporary },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ['default', fileURLToPath(new URL('closing-line.ts', import.meta.url))],
  },
})
