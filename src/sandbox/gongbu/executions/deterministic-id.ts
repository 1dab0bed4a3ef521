import { createHash } from 'node:crypto'

/** `kind-` and 16 hex digits that depend on nothing but the arguments. */
export function deterministicId(kind: string, seed: number, key: string): string {
  const digest = createHash('sha256').update(`${kind}:${seed}:${key}`).digest('hex')
  return `${kind}-${digest.slice(0, 16)}`
}
