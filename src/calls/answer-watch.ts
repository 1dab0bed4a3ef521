import type { Deliveries } from '../operations/journal/deliveries.ts'

/** Tells the registry what becomes of the answers of one connection; nothing is told while it keeps no journal. */
export function createAnswerWatch(deliveries: () => Deliveries | undefined, connection: string) {
  return {
    written: (handle: string, request: number) => deliveries()?.written(handle, connection, request),
    wentOn: () => deliveries()?.wentOn(connection),
    cancelled: (handle: string) => deliveries()?.cancelled(handle),
    lost: (handle: string) => deliveries()?.lost(handle, 'pipe'),
    closed: () => deliveries()?.closed(connection),
  }
}
