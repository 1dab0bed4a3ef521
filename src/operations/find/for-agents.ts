// Pure: what an agent may see of earlier purchases. Texts of other sessions could talk to this one, and ids would invite
// continuing what is not theirs, so neither is in it.
import type { OperationFound, OperationsFound } from '#generated/types/router.js'
import type { MoneyAnswer } from '../money.ts'
import type { FoundOperation } from './find.ts'

const note = 'Handles are for hubu_operation_status. They cannot repeat, continue or confirm a purchase.'

/** The answer of the tool and of the resources. */
export function forAgents({
  operations,
  hasMore,
  hasJournal,
}: {
  operations: readonly FoundOperation[]
  hasMore: boolean
  hasJournal: boolean
}): OperationsFound {
  const words = hasJournal ? note : `${note} This registry keeps no journal, so amounts are not known.`
  return { operations: operations.map(toFound), more: hasMore, note: words }
}

function toFound({ view, answer, amountMinor, currency, no }: FoundOperation): OperationFound {
  return {
    operation_handle: view.handle,
    answer,
    state: view.state,
    tool: view.tool as OperationFound['tool'],
    amount_cents: no === null ? null : amountMinor,
    currency: no === null ? null : currency,
    requested_at: view.createdAt,
    finished_at: view.terminal ? view.updatedAt : null,
    next_step: steps[answer],
  }
}

const steps: Record<MoneyAnswer, string> = {
  paid: 'It is paid. Do not buy it again; tell your user.',
  held: 'The money is reserved and not spent. Read hubu_operation_status with this handle to go on.',
  waiting: 'A human decides. Tell your user, and read hubu_operation_status with this handle later.',
  refused: 'Hubu refused it and nothing was spent. Tell your user; do not split or reword it.',
  not_paid: 'Nothing was spent. Ask your user whether it is still wanted before you buy it anew.',
  unknown:
    'Nobody knows yet whether money moved. Do not buy it again: let the harness deliver the same call again, or ask your user to look it up with `hubu-unified-mcp operations find`.',
}
