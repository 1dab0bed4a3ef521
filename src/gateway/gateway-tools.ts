// The tools of the built-in server `router` that are reached as those of mounted servers are: no part of the 34 or the eight.
import { gatewayToolDefinitions, gatewayToolHints, type GatewayToolDefinition } from '#generated/gateway-tools.js'
import { errorAnswer, type Answer } from '../answers/answer.ts'
import type { Envelope } from '../calls/envelope.ts'
import { findOperationsName, type EarlierPurchases } from '../calls/find-call.ts'
import { isListed, type States } from '../capabilities/availability.ts'
import { splitName } from '../names/short-name.ts'
import { outOfScope } from './out-of-scope.ts'
import { builtInServers } from './built-in-servers.ts'
import type { Scope } from '../names/scope.ts'
import type { CatalogTool } from './catalog/catalog-tool.ts'
import type { Caller } from '../wire/request.ts'

/** One of them as `tools/list` and the catalog name it. */
export interface GatewayTool {
  name: string
  definition: object
  catalog: CatalogTool
}

const tools = gatewayToolDefinitions.map(toGatewayTool)

function toGatewayTool({ name, ...rest }: GatewayToolDefinition): GatewayTool {
  const publicName = `router__${name}`
  const { title, description, inputSchema, annotations } = rest
  return {
    name: publicName,
    definition: { name: publicName, ...rest },
    catalog: {
      server: builtInServers.router,
      wireName: name,
      shortName: name,
      publicName,
      aliases: [publicName, name],
      ...{ title, description, inputSchema, annotations },
      useWhen: gatewayToolHints[name],
      isDirectCall: false,
    },
  }
}

/** The tool that a name means; without a server also the name alone does. */
export function findGatewayTool(server: string, given: string): GatewayTool | undefined {
  const { server: named, tool } = splitName(server, given)
  return named === 'router' || named === '' ? tools.find(({ catalog }) => catalog.wireName === tool) : undefined
}

/** Answers the one that there is. Throws RouterError. */
export async function answerOwn(
  { purchases }: { purchases: Pick<EarlierPurchases, 'of'> },
  { scope }: { scope: Scope },
  { args, findings }: Pick<Envelope, 'args' | 'findings'>,
  { principal }: Pick<Caller, 'principal'>,
): Promise<Answer> {
  if (!scope.allows('router', 'find_operations')) return errorAnswer(outOfScope(findOperationsName))
  return purchases.of(principal).answer(args, findings)
}

/** Those that the agent may use now: they read the registry, as the status of an operation does. */
export function gatewayTools(states: States, { scope }: { scope: Scope }): GatewayTool[] {
  if (!isListed('hubu_operation_status', states)) return []
  return tools.filter(({ catalog }) => scope.allows('router', catalog.wireName))
}
