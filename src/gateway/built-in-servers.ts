// What the three built-in servers are for, in the words that configured servers use for themselves.
import type { Owner } from '#generated/ownership.js'
import type { CatalogServer } from './catalog/catalog-tool.ts'

/** The built-in servers, by name. */
export const builtInServers: Readonly<Record<Owner, CatalogServer>> = {
  router: {
    name: 'router',
    description: 'The gateway itself: what can be called now, and where an operation stands',
    tags: ['status', 'operations'],
    useWhen: [
      'find out whether money and paid work are available now',
      'look up what became of a spend or an execution',
    ],
  },
  hubu: {
    name: 'hubu',
    description: 'Governed money: budgets, spending policies, targets, approvals and the ledger',
    tags: ['money', 'budget', 'policy', 'spending'],
    useWhen: ['spend money or ask for permission to spend', 'see budgets, limits, policies and what was spent'],
  },
  gongbu: {
    name: 'gongbu',
    description: 'Paid provider work: starts executions, follows them and fetches what they made',
    tags: ['images', 'execution', 'artifacts'],
    useWhen: ['have a picture or other paid work made', 'get the files that an execution produced'],
  },
}
