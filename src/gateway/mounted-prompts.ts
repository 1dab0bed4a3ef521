import { JsonText } from '../answers/json-text.ts'
import { invalidParams } from '../answers/refusals.ts'
import type { MountedServer } from '../downstream/mounted-server.ts'
import { member } from '../json/read.ts'
import { addressScheme } from '../names/resource-address.ts'
import type { MountedRequests } from './offer-requests.ts'
import { addressOf, prefixed, type Reach } from './reach.ts'

const noProposals = new JsonText('{"completion":{"values":[]}}')

/** The requests about prompts, and proposals for arguments of prompts and resources. */
export function createPromptRequests(reach: Reach): Pick<MountedRequests, 'complete' | 'listPrompts' | 'getPrompt'> {
  const { connected, labelOf, pass, promptNamed, resourceAt, settled } = reach
  return {
    async complete(params, source) {
      const ref = member(params, 'ref')
      const [argument, context] = [member(params, 'argument'), member(params, 'context')]
      const ask = async (server: MountedServer, own: object) => {
        await settled(server, source)
        if (server.connection !== undefined && server.connection.capabilities.completions === undefined)
          return noProposals
        return pass(
          server,
          'completion/complete',
          { ref: own, argument, ...(context !== undefined && { context }) },
          source,
        )
      }
      switch (member(ref, 'type')) {
        case 'ref/prompt': {
          const { server, name } = promptNamed(member(ref, 'name'))
          return ask(server, { type: 'ref/prompt', name })
        }
        case 'ref/resource': {
          const address = addressOf(ref)
          if (!address.startsWith(addressScheme) && !reach.hasBare()) return noProposals
          const { server, uri } = resourceAt(address)
          return ask(server, { type: 'ref/resource', uri })
        }
        default:
          throw invalidParams('ref must be a ref/prompt or a ref/resource')
      }
    },
    listPrompts: () => ({
      prompts: connected().flatMap(({ name, offer }) => offer.prompts.flatMap((item) => toPrompt(labelOf(name), item))),
    }),
    async getPrompt(params, source) {
      const { server, name } = promptNamed(member(params, 'name'))
      const args = member(params, 'arguments')
      return pass(server, 'prompts/get', { name, ...(args !== undefined && { arguments: args }) }, source)
    },
  }
}

function toPrompt(label: string | undefined, item: Record<string, unknown>): object[] {
  if (typeof item.name !== 'string') return []
  if (label === undefined) return [item]
  const description = prefixed(label, item.description)
  return [{ ...item, name: `${label}__${item.name}`, ...(description !== undefined && { description }) }]
}
