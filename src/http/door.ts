// Who is let in, as the configuration says it: read at the start, and again when a file changes.
import type { AuthSettings } from '../config/http-settings.ts'
import { watchFile } from '../config/watch-file.ts'
import type { Log } from '../redaction/log.ts'
import type { Clock } from '../timing/clock.ts'
import type { Door, Doorkeeper } from './bearers/doorkeeper.ts'
import { takeStartToken } from './bearers/start-token.ts'
import { loadTokens } from './bearers/token-file.ts'

/** Where the start token lies, and how one is made. */
export interface DoorOptions {
  auth: AuthSettings | undefined
  startTokenFile: string
  newToken: boolean
  randomBytes(count: number): Buffer
}

/** The door at the start. Throws an error for a file that cannot be used, with a sentence for the operator. */
export function openDoor({ auth, startTokenFile, newToken, randomBytes }: DoorOptions): Door {
  if (auth === undefined)
    return { startToken: takeStartToken(startTokenFile, { isNew: newToken, randomBytes }), tokens: [], auth }
  return { startToken: undefined, tokens: auth.tokens === undefined ? [] : loadTokens(auth.tokens), auth }
}

const lookEveryMs = 1000

/** Lets a changed file of tokens count. What cannot be used keeps the former ones. The result ends it. */
export function followTokens(
  door: Door,
  doorkeeper: Pick<Doorkeeper, 'apply'>,
  { log, clock }: { log: Pick<Log, 'event'>; clock: Pick<Clock, 'after'> },
): () => void {
  const file = door.auth?.tokens
  if (file === undefined) return () => {}
  let present = JSON.stringify(door.tokens)
  const onChange = () => {
    try {
      const tokens = loadTokens(file)
      // The first look reads what was read at the start.
      if (JSON.stringify(tokens) === present) return
      present = JSON.stringify(tokens)
      doorkeeper.apply({ ...door, tokens })
      log.event('info', 'tokens_reloaded', { count: tokens.length })
    } catch {
      log.event('error', 'tokens_unusable', { reason: 'it is missing, no such file, or others can write it' })
    }
  }
  return watchFile({ path: file, clock, onChange, lookEveryMs })
}
