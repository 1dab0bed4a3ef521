// What an agent asks when the answer of a purchase was lost: the tool router__find_operations and the resources of operations.
import type { FindOperationsArguments } from '#generated/types/gateway-tools.js'
import type { OperationsFound } from '#generated/types/router.js'
import { gatewayToolValidators } from '#generated/validators/gateway-tools.js'
import { dataAnswer, type ToolResult } from '../answers/answer.ts'
import { JsonText } from '../answers/json-text.ts'
import { registryUnavailable } from '../answers/refusals.ts'
import { checkWith, violationSentence } from '../catalog/check-arguments.ts'
import { RouterError } from '../errors/router-error.ts'
import type { Findings } from '../json/findings.ts'
import { forAgents } from '../operations/find/for-agents.ts'
import type { FindQuery } from '../operations/find/query.ts'
import { localPrincipal } from '../operations/owners.ts'
import type { Registry } from '../operations/registry.ts'
import type { Clock } from '../timing/clock.ts'

/** The name under which the tool is listed and called. */
export const findOperationsName = 'router__find_operations'

const resourceScheme = 'hubu-operation:'
const template = 'hubu-operation:///{digits}'
const minuteMs = 60_000

/** Where earlier purchases are, and on whose behalf they are asked for. */
export interface FindCallRooms {
  registry(): Pick<Registry, 'search'> | null
  principal: string
  clock: Pick<Clock, 'nowMs'>
}

/** Earlier purchases of one principal. */
export interface EarlierPurchases {
  /** Answers the tool. Throws RouterError. */
  answer(args: Record<string, unknown>, findings: Findings): Promise<ToolResult>
  /** Whether an address is one of an operation's. */
  isAddress(uri: string): boolean
  /** Reads such an address. Throws RouterError. */
  read(uri: string): Promise<JsonText>
  /** What resources/templates/list says of them; single operations are never listed. */
  resourceTemplate: object
  /** Those of whoever asks: a proven name has its own, everybody else those of this process. */
  of(principal: string): EarlierPurchases
}

export function createEarlierPurchases({ registry, principal, clock }: FindCallRooms): EarlierPurchases {
  async function find(query: Omit<FindQuery, 'principal' | 'withUnowned'>): Promise<OperationsFound> {
    const open = registry()
    if (open === null) throw registryUnavailable(findOperationsName)
    // A name with a colon was proven by a token, and what nobody wrote a name to was not.
    return forAgents(await open.search.find({ ...query, principal, withUnowned: !principal.includes(':') }))
  }
  const recent = ({
    amount_cents: cents,
    within_minutes: minutes = 1440,
    answer,
    limit = 5,
  }: FindOperationsArguments) =>
    find({
      ...(cents !== undefined && { cents: { from: cents, to: cents } }),
      since: new Date(clock.nowMs() - minutes * minuteMs),
      answer,
      limit,
    })

  const purchases: EarlierPurchases = {
    of: (asking) =>
      asking === localPrincipal ? purchases : createEarlierPurchases({ registry, principal: asking, clock }),
    async answer(args, findings) {
      const violations = checkWith(gatewayToolValidators.find_operations, args, findings)
      if (violations.length > 0) {
        const sentence = violationSentence(findOperationsName, violations)
        throw new RouterError('schema_violation', sentence, { data: { violations } })
      }
      return dataAnswer(await recent(args))
    },
    isAddress: (uri) => uri.startsWith(resourceScheme),
    async read(uri) {
      const name = uri.slice('hubu-operation:///'.length)
      const isRecent = uri === 'hubu-operation:///recent'
      if (!isRecent && !(uri.startsWith('hubu-operation:///') && /^[0-9a-f]{32}$/.test(name))) throw unknownHandle()
      const found = isRecent ? await recent({}) : await find({ digits: name, limit: 1 })
      if (!isRecent && found.operations.length === 0) throw unknownHandle()
      const contents = [{ uri, mimeType: 'application/json', text: JSON.stringify(found) }]
      return new JsonText(JSON.stringify({ contents }))
    },
    resourceTemplate: {
      uriTemplate: template,
      name: 'operation',
      title: 'An earlier purchase',
      description:
        'What became of one of your purchases, by the 32 digits of its operation_handle; hubu-operation:///recent for the last day.',
      mimeType: 'application/json',
    },
  }
  return purchases
}

function unknownHandle(): RouterError {
  return new RouterError(
    'operation_handle_unknown',
    'No operation of yours has this handle. Use the 32 digits of an operation_handle exactly as a spend or create result gave it.',
  )
}
