// Pure: which names a server may not have whose names go out as they are.
import { gatewayToolDefinitions } from '#generated/gateway-tools.js'
import { findTool } from '../catalog/catalog.ts'
import { metaToolName } from '../catalog/meta-tool-name.ts'
import type { Offer } from './offer.ts'
import { quotedName } from './tool-review.ts'

/** A server without prefix has a name that is somebody else's; the message is a sentence of ours. */
export class TakenName extends Error {
  override readonly name = 'TakenName'
}

const ownSchemes = ['hubu-result:', 'hubu-operation:', 'mcphub:']
const ownTools: ReadonlySet<string> = new Set(gatewayToolDefinitions.map(({ name }) => name))

/** Throws TakenName unless every name of this server can be told from ours, from those of other servers and from each other. */
export function demandOwnNames({ tools, prompts, resources, resourceTemplates }: Offer): void {
  demandNames(
    'tool',
    tools.map(({ listed }) => listed.name),
  )
  demandNames(
    'prompt',
    prompts.map(({ name }) => name),
  )
  for (const address of [
    ...resources.map(({ uri }) => uri),
    ...resourceTemplates.map(({ uriTemplate }) => uriTemplate),
  ])
    if (typeof address === 'string' && ownSchemes.some((scheme) => address.toLowerCase().startsWith(scheme)))
      refuse(`it has a resource with the scheme ${address.split(':', 1).join()}, which is the router's own`)
}

function demandNames(kind: string, names: readonly unknown[]): void {
  const seen = new Map<string, string>()
  for (const name of names) {
    if (typeof name !== 'string') continue
    const what = `its ${kind} ${quotedName(name)}`
    const folded = name.toLowerCase()
    if (name.includes('__')) refuse(`${what} has two underscores in a row`)
    if (/^(hubu|gongbu)_/.test(folded)) refuse(`${what} begins as the router's own tools do`)
    if (findTool(name) ?? metaToolName(name) ?? ownTools.has(name))
      refuse(`${what} is called as a tool of the router is`)
    const other = seen.get(folded)
    if (other !== undefined && other !== name) refuse(`${what} differs from another one by case alone`)
    seen.set(folded, name)
  }
}

function refuse(why: string): never {
  throw new TakenName(`without a prefix it cannot be mounted, because ${why}; remove \`prefix\` from its entry`)
}
