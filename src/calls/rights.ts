// What each tool needs of its caller besides a name.
import { toolEntries } from '../catalog/catalog.ts'
import { aliases } from '../names/short-name.ts'
import type { Caller, Right } from '../wire/request.ts'

/** What a tool needs, by any name that means it; whatever is no contract tool is read. */
export function rightOfTool(name: string): Right {
  return toolRights.get(name) ?? 'read'
}

/** Those of the listed tools that a caller may call. */
export function callableBy({ rights }: Pick<Caller, 'rights'>, tools: readonly object[]): object[] {
  return tools.filter((tool) => rights.has(rightOfTool((tool as { name: string }).name)))
}

const toolRights: ReadonlyMap<string, Right> = new Map(
  toolEntries.flatMap(({ name, row }) => {
    const right = rightOf(row.approval_class)
    return right === 'read' ? [] : [name, ...aliases(row.owner, name)].map((each) => [each, right] as const)
  }),
)

function rightOf(approvalClass: string): Right {
  if (approvalClass === 'protected') return 'protected'
  return approvalClass === 'spend' || approvalClass === 'execution' ? 'spend' : 'read'
}
