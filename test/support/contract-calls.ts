import { createFinishCall } from '../../src/answers/finish.ts'
import { createContractSurface, type ContractRooms } from '../../src/calls/contract-surface.ts'
import { createHandleCall, type HandleCall } from '../../src/calls/surface.ts'
import type { Clock } from '../../src/timing/clock.ts'

/** Calls of the contract's tools alone; every result goes out whole. */
export function contractCalls(
  rooms: Omit<ContractRooms, 'finish' | 'results' | 'clock'> & { clock: ContractRooms['clock'] & Pick<Clock, 'turn'> },
): HandleCall {
  const finish = createFinishCall({ budgetBytes: 0, store: () => Promise.resolve(undefined), clock: rooms.clock })
  return createHandleCall(createContractSurface({ ...rooms, finish, results: undefined }))
}
