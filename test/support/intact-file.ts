import type { FileGuard } from '../../src/operations/file-guard.ts'

/** The guard of a file that nobody touches. */
export const intact: FileGuard = { check: () => {}, lose: () => {}, lost: null, onLost: () => {} }
