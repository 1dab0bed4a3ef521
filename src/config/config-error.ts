/** A configuration we cannot start with. The message names the setting or backend in words, never a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Whether an error is one, whichever bundle it comes from: each has a class of its own. */
export function isConfigError(error: unknown): error is ConfigError {
  return error instanceof Error && error.name === 'ConfigError'
}
