/** A configuration we cannot start with. The message names the setting or backend in words, never a value (R 1.4). */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
