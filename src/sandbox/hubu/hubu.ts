// What every part of the server works with.
import type { LeaseConfiguration } from './leases.ts'
import type { Rows } from './rows.ts'
import type { Instant } from './time/instant.ts'

/** The exact build that the server claims to be (H 3.2). */
export interface Stamp {
  productVersion: string
  sourceCommit: string
}

/** The server's state and its sources of time and identity. */
export interface Hubu {
  rows: Rows
  now(): Instant
  randomUuid(): string
  leases: LeaseConfiguration
  stamp: Stamp
}

/** Draws internal UUIDs until one is free. Public ids show only 60 of their bits, so a clash is thinkable (H 2.1). */
export function drawUuid(hubu: Hubu, taken: (uuid: string) => boolean): string {
  for (;;) {
    const uuid = hubu.randomUuid()
    if (!taken(uuid)) return uuid
  }
}
