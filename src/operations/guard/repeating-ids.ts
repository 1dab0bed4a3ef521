// Pure: whether a client's call ids look as if they began again with each turn. A suspicion changes words, never a decision.

/**
 * Whether a call id has the shape of one that repeats: a tool's or function's name and a small number (`NAME:0`,
 * `functions.NAME:0`), `call_` and a small number, or digits alone. `isToolName` knows the tools that there are.
 */
export function looksRepeating(callId: string, isToolName: (name: string) => boolean): boolean {
  if (/^\d+$/.test(callId) || /^call_\d{1,6}$/.test(callId)) return true
  const [, name] = /^(?:functions\.)?(.+)[:_-]\d{1,6}$/.exec(callId) ?? []
  if (name === undefined) return false
  // Hosts put the server's name before the tool's.
  return isToolName(name) || isToolName(name.slice(name.lastIndexOf('__') + 2))
}
