// The `permission` object of opencode and Kilo: keys are tools or wildcards, the last match wins.
import { type Edit } from '../../documents/edit.ts'
import { jsonc } from '../../documents/json.ts'
import { nodeAt, type ObjectNode, toPlain, type TreeNode } from '../../documents/tree.ts'
import { isObject } from '../../json/read.ts'
import { type ApprovalLists } from '../entry/approval-lists.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Approvals, type ApprovalRequest } from './client.ts'
import { openFiles } from './look-up.ts'
import { matches } from './manual.ts'
import { obstacleAt } from './obstacle.ts'

type Rules = [string, unknown][]

/** Renders the profile into `permission`, or prints it where another form of that setting stands in the way. */
export function permissionApprovals(title: string, { lists, entryFile, look }: ApprovalRequest): Approvals {
  const wanted = wantedRules(lists)
  const [file] = openFiles([entryFile], jsonc, look)
  const permission = file && nodeAt(file.document.root, ['permission'])
  const obstacle = file && findObstacle(file.document.root, wanted)
  if (file !== undefined && obstacle !== undefined) {
    return {
      manual: [
        `${title} cannot be told by adding keys, because ${obstacle.reason}. Make "permission" an object that ends with:`,
        ...wanted.map(([tool, decision]) => `  ${JSON.stringify(tool)}: ${JSON.stringify(decision)},`),
      ],
      trustObstacles: () => [
        obstacleAt(
          file,
          obstacle.node,
          `stands in the way: ${obstacle.reason}, so ${title} would not ask for protected tools`,
          'Change it as shown, or run init without --trust-client-approval.',
        ),
      ],
    }
  }
  const present = permission?.kind === 'object' ? rulesOf(permission) : []
  return {
    edits: [
      ...behindWildcards(present, wanted),
      { kind: 'merge', path: ['permission'], members: Object.fromEntries(wanted) },
    ],
  }
}

function wantedRules(lists: ApprovalLists): [string, string][] {
  const key = (tool: string): string => `${entryName}_${tool}`
  return [
    ...lists.auto.map((tool): [string, string] => [key(tool), 'allow']),
    ...lists.ask.map((tool): [string, string] => [key(tool), 'ask']),
  ]
}

/** A key of ours that a later wildcard overrules is taken out, so that it is added again behind it. */
function behindWildcards(present: Rules, wanted: [string, string][]): Edit[] {
  return wanted.flatMap(([tool]): Edit[] => {
    const own = present.findLastIndex(([key]) => key === tool)
    const isOverruled = own !== -1 && present.slice(own + 1).some(([key]) => matches(key, tool))
    return isOverruled ? [{ kind: 'remove', path: ['permission', tool] }] : []
  })
}

/** What makes per-tool keys useless: one word for everything, or an agent that allows more. */
function findObstacle(root: ObjectNode, wanted: [string, string][]): { node: TreeNode; reason: string } | undefined {
  const permission = nodeAt(root, ['permission'])
  if (permission?.kind === 'scalar')
    return { node: permission, reason: `"permission" is one word (${permission.source}) for all tools` }
  const asked = wanted.filter(([, decision]) => decision === 'ask').map(([tool]) => tool)
  for (const section of ['agent', 'mode']) {
    const agents = nodeAt(root, [section])
    if (agents?.kind !== 'object') continue
    for (const { key, value } of agents.members) {
      const own = nodeAt(value, ['permission'])
      const rules: Rules = own?.kind === 'object' ? rulesOf(own) : own?.kind === 'scalar' ? [['*', own.value]] : []
      if (asked.some((tool) => decide(rules, tool) === 'allow'))
        return { node: own ?? value, reason: `the ${section} "${key}" allows protected tools` }
    }
  }
  return undefined
}

function rulesOf(object: ObjectNode): Rules {
  return object.members.map(({ key, value }) => [key, toPlain(value)])
}

function decide(rules: Rules, tool: string): unknown {
  const found = rules.findLast(([key]) => matches(key, tool))?.[1]
  return isObject(found) ? found['*'] : found
}
