// The resources of operations beside the stored results, if there are any.
import { invalidParams } from '../answers/refusals.ts'
import { member } from '../json/read.ts'
import type { EarlierPurchases } from './find-call.ts'
import type { ResourceRequests } from './resource-requests.ts'

/** The same requests, which know operations as well. `stored` is undefined where no results are stored. */
export function withOperationResources(
  stored: ResourceRequests | undefined,
  purchases: EarlierPurchases,
): ResourceRequests {
  return {
    list: (...asked) => stored?.list(...asked) ?? Promise.resolve({ resources: [] }),
    async listTemplates() {
      const own = (await stored?.listTemplates()) as { resourceTemplates: object[] } | undefined
      return { resourceTemplates: [...(own?.resourceTemplates ?? []), purchases.resourceTemplate] }
    },
    async read(params, viewer) {
      const uri = member(params, 'uri')
      if (typeof uri === 'string' && purchases.isAddress(uri)) return purchases.of(viewer.principal).read(uri)
      if (stored === undefined) throw invalidParams('no results are stored here')
      return stored.read(params, viewer)
    },
  }
}
