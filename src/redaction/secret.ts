// This room sees to it that nothing secret leaves.
import { inspect } from 'node:util'

const shown = '<redacted>'

/** A secret of fewer characters is hidden only where it stands alone. */
export const leastHiddenLength = 8

/** A value that prints as `<redacted>` everywhere and gives itself up only by `reveal()`. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The secret itself, for the one header it is meant for. */
  reveal(): string {
    return this.#value
  }

  /** Whether it is a word that texts hold for other reasons, so that it cannot be hidden wherever it occurs. */
  get isShort(): boolean {
    return this.#value.trim().length < leastHiddenLength
  }

  toString(): string {
    return shown
  }

  toJSON(): string {
    return shown
  }

  [inspect.custom](): string {
    return shown
  }
}

/** The capability that a reconciliation call uses, as it was found. */
export type ReconciliationCapability =
  { kind: 'capability'; secret: Secret } | { kind: 'missing' } | { kind: 'invalid' }
