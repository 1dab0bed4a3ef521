// This room sees to it that nothing secret leaves.
import { inspect } from 'node:util'

const shown = '<redacted>'

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
