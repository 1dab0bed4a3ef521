/**
 * Whether an error says that SQLite's library cannot be loaded: it is not there, or it was built for another Node. That is a
 * fault of the installation and says nothing about any file.
 */
export function isLibraryFault(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (code === 'ERR_DLOPEN_FAILED' || code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND') return true
  return typeof message === 'string' && message.startsWith('Could not locate the bindings file')
}

/** What to do about such a fault, in one line. */
export const libraryAdvice = `the SQLite library of this installation cannot be loaded by Node ${process.versions.node}; install hubu-unified-mcp again with this Node`
