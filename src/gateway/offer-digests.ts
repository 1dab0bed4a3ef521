import { createHash } from 'node:crypto'
import type { Mounts } from '../downstream/mounts.ts'

/** For the prompts and for the resources of the connected servers in scope another text whenever they are others. */
export function offerDigests(
  mounts: Pick<Mounts, 'servers' | 'server'>,
  isInScope: (server: string) => boolean,
): { prompts: string; resources: string } {
  const [prompts, resources] = [createHash('sha256'), createHash('sha256')]
  for (const { name, isConnected } of mounts.servers()) {
    const offer = isConnected && isInScope(name) ? mounts.server(name)?.offer : undefined
    if (offer === undefined) continue
    if (offer.prompts.length > 0) prompts.update(JSON.stringify([name, offer.prompts]))
    if (offer.resources.length + offer.resourceTemplates.length > 0)
      resources.update(JSON.stringify([name, offer.resources, offer.resourceTemplates]))
  }
  return { prompts: prompts.digest('base64'), resources: resources.digest('base64') }
}
