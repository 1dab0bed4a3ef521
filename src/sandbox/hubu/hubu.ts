// The one value that every part of the server is given.
import { publicId, type PublicPrefix } from './ids.ts'
import type { LeaseConfiguration } from './leases.ts'
import type { Rows } from './rows.ts'
import type { Instant } from './time/instant.ts'

/** The exact build that the server claims to be. */
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

/** Draws an internal UUID that no row of a table has yet in a column. */
export function drawUuid(hubu: Hubu, table: string, column = 'id'): string {
  for (;;) {
    const uuid = hubu.randomUuid()
    if (isFree(hubu, table, column, uuid)) return uuid
  }
}

/** Draws the ids of a new row of a table. Public ids show only 60 bits of the internal ones, so a clash is thinkable. */
export function drawIds(hubu: Hubu, table: string, prefix: PublicPrefix): { id: string; public_id: string } {
  for (;;) {
    const id = hubu.randomUuid()
    const ids = { id, public_id: publicId(prefix, id) }
    if (isFree(hubu, table, 'public_id', ids.public_id)) return ids
  }
}

function isFree({ rows }: Hubu, table: string, column: string, value: string): boolean {
  return rows.get(`select 1 from ${table} where ${column} = ?`, value) === undefined
}
