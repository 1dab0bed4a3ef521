import { createFinishCall } from '../../src/answers/finish.ts'
import { createContractSurface, type ContractRooms } from '../../src/calls/contract-surface.ts'
import { createSpendCall, type SpendCall, type SpendCallOptions } from '../../src/calls/spend-call.ts'
import { createHandleCall, type HandleCall } from '../../src/calls/surface.ts'
import type { Clock } from '../../src/timing/clock.ts'

/** Calls of the contract's tools alone; every result goes out whole. */
export function contractCalls(rooms: ContractCallRooms): HandleCall {
  const finish = createFinishCall({
    imageBudgetBytes: 0,
    budgetBytes: 0,
    store: () => Promise.resolve(undefined),
    clock: rooms.clock,
  })
  const spendCall = rooms.spendCall ?? testSpendCall(rooms)
  return createHandleCall(
    createContractSurface({
      spendIdentity: 'harness',
      connection: Buffer.alloc(16),
      ...rooms,
      spendCall,
      finish,
      results: undefined,
    }),
  )
}

/** The money path behind these rooms. */
export function testSpendCall(rooms: ContractCallRooms): SpendCall | undefined {
  const { hubu } = rooms
  return hubu && createSpendCall({ onWaiting: () => {}, ...rooms, hubu, spend: () => rooms.registry()?.spend ?? null })
}

/** What contract calls are made with. */
export type ContractCallRooms = Omit<
  ContractRooms,
  'finish' | 'results' | 'spendCall' | 'spendIdentity' | 'connection'
> &
  Partial<Pick<ContractRooms, 'spendCall' | 'spendIdentity' | 'connection'>> & {
    clock: SpendCallOptions['clock'] & Pick<Clock, 'turn'>
    random(): number
    onWaiting?(): void
  }
