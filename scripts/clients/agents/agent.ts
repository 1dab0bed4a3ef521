/** A real client, and how it is made to work for a scripted model without a person. */
export interface Agent {
  /** As `init` calls it. */
  name: 'codex' | 'claude' | 'opencode' | 'qwen' | 'gemini' | 'kilo' | 'kimi' | 'copilot' | 'hermes'
  /** In exact versions, from npm unless `isPython`. */
  package: string
  isPython?: true
  /** The program in the folder of packages, and what starts it. */
  start(modules: string, node: string): { command: string; args: string[] }
  /** Files that its user had before, by their paths under the home; `url` is the model's. */
  files(url: string): Record<string, string>
  env(url: string): Record<string, string>
  /** Arguments with which it works off one sentence and ends. */
  run: string[]
  /** Lists its servers; the pattern holds when ours is there and, where the client says so, connected. Absent: it has no such list. */
  servers?: { args: string[]; shows: RegExp }
  /** Whether a purchase is named by the client's own id of the call, or by the router. */
  identity: 'own' | 'guarded'
  /** Who keeps a protected tool from being run without a person: the client does not call it, or the router refuses the call. */
  protectedBy: 'client' | 'router'
  /** Waits for an answer as long as its entry says, and then sends the call again by itself. */
  waits?: true
}

/** A client that can be started. */
export interface ReadyAgent {
  agent: Agent
  command: string
  args: string[]
  version: string
}
