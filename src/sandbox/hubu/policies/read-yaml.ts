// Reads the YAML (or JSON) of a policy: strict keys, strict types inside conditions, plain scalars as they are
// written elsewhere, no tags, no merge keys. Pure.
import { isAlias, isMap, isScalar, isSeq, parseAllDocuments, Scalar, visit, type Document, type Node } from 'yaml'
import { parseUuid } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import type { Condition, Effect, Field, Policy, Rule, Value } from './policy.ts'
import { kindOfField } from './policy.ts'

/** Nodes that one policy may expand to; aliases could otherwise multiply without end. */
const mostNodes = 50_000
/** A longer text is refused unread: the YAML library takes seconds for a hostile mebibyte, and requests are served in turn. */
const mostBytes = 262_144
/** How deep conditions may nest. */
const deepest = 120

class YamlProblem extends Error {}

/** A walk through one document: what its aliases stand for, and how many nodes were seen. */
interface Walk {
  targets: ReadonlyMap<unknown, Node>
  nodes: number
}

/** Reads a policy; its owner is the one given, whatever the document says. Throws a 400 `failed to parse policy yaml`. */
export function readPolicyYaml(yaml: string, ownerUserId: string): Policy {
  try {
    if (Buffer.byteLength(yaml) > mostBytes) throw new YamlProblem(`the document is larger than ${mostBytes} bytes`)
    const documents = parseAllDocuments(yaml, {
      version: '1.2',
      schema: 'core',
      merge: false,
      strict: true,
      // Checked where mappings are read; the library compares every key with every other.
      uniqueKeys: false,
      // Otherwise every error is located anew, and a broken document can hold very many.
      prettyErrors: false,
      intAsBigInt: true,
      logLevel: 'silent',
    })
    const [document, second] = documents as Document[]
    if (document === undefined || second !== undefined) throw new YamlProblem('expected exactly one document')
    const problem = document.errors[0] ?? document.warnings[0]
    if (problem !== undefined) throw new YamlProblem(`${problem.message} at line ${lineAt(yaml, problem.pos[0])}`)
    return policyOf({ targets: aliasTargets(document), nodes: 0 }, document.contents, ownerUserId)
  } catch (error) {
    // The YAML library runs out of stack on absurd nesting; that is as unreadable as a syntax error.
    if (error instanceof Error) throw new Refusal(`failed to parse policy yaml: ${error.message}`)
    throw error
  }
}

function policyOf(walk: Walk, node: unknown, ownerUserId: string): Policy {
  const keys = ['id', 'version', 'default_effect', 'rules', 'owner_user_id']
  const top = mapping(walk, node, 'policy', keys, ['owner_user_id'])
  if (top.owner_user_id !== undefined) {
    const owner = resolve(walk, top.owner_user_id)
    const nothing = isScalar(owner) && owner.value === null
    if (!nothing && parseUuid(text(walk, owner, 'owner_user_id')) === undefined)
      throw new YamlProblem('owner_user_id must be a UUID')
  }
  return {
    id: text(walk, top.id, 'id'),
    version: text(walk, top.version, 'version'),
    owner_user_id: ownerUserId,
    rules: list(walk, top.rules, 'rules').map((rule, index) => ruleOf(walk, rule, `rules[${index}]`)),
    default_effect: effect(walk, top.default_effect, 'default_effect'),
  }
}

function ruleOf(walk: Walk, node: unknown, at: string): Rule {
  const rule = mapping(walk, node, at, ['id', 'effect', 'when', 'reason'])
  return {
    id: text(walk, rule.id, `${at}.id`),
    effect: effect(walk, rule.effect, `${at}.effect`),
    when: conditionOf(walk, rule.when, `${at}.when`, 1),
    reason: text(walk, rule.reason, `${at}.reason`),
  }
}

const keysOfOp: Readonly<Record<Condition['op'], readonly string[]>> = {
  all: ['conditions'],
  any: ['conditions'],
  not: ['condition'],
  eq: ['field', 'value'],
  neq: ['field', 'value'],
  gt: ['field', 'value'],
  gte: ['field', 'value'],
  lt: ['field', 'value'],
  lte: ['field', 'value'],
  in: ['field', 'values'],
  exists: ['field'],
}

function conditionOf(walk: Walk, node: unknown, at: string, depth: number): Condition {
  if (depth > deepest) throw new YamlProblem(`${at}: nested too deeply`)
  const all = mapping(walk, node, at)
  const op = typed(walk, all.op, `${at}.op`) as Condition['op']
  const keys = typeof op === 'string' && Object.hasOwn(keysOfOp, op) ? keysOfOp[op] : undefined
  if (keys === undefined) throw new YamlProblem(`${at}.op: unknown operator`)
  const parts = mapping(walk, node, at, ['op', ...keys])
  const field = () => fieldOf(walk, parts.field, `${at}.field`)
  switch (op) {
    case 'all':
    case 'any': {
      const children = list(walk, parts.conditions, `${at}.conditions`)
      return {
        op,
        conditions: children.map((child, index) => conditionOf(walk, child, `${at}.conditions[${index}]`, depth + 1)),
      }
    }
    case 'not':
      return { op, condition: conditionOf(walk, parts.condition, `${at}.condition`, depth + 1) }
    case 'in': {
      const values = list(walk, parts.values, `${at}.values`)
      return { op, field: field(), values: values.map((value) => valueOf(walk, value, `${at}.values`)) }
    }
    case 'exists':
      return { op, field: field() }
    case 'eq':
    case 'neq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return { op, field: field(), value: valueOf(walk, parts.value, `${at}.value`) }
  }
}

function fieldOf(walk: Walk, node: unknown, at: string): Field {
  const name = typed(walk, node, at)
  if (typeof name !== 'string' || !Object.hasOwn(kindOfField, name)) throw new YamlProblem(`${at}: unknown field`)
  return name as Field
}

function valueOf(walk: Walk, node: unknown, at: string): Value {
  const members = Object.entries(mapping(walk, node, at))
  const [kind, held] = members[0] ?? []
  if (members.length !== 1) throw new YamlProblem(`${at}: expected a mapping with one key`)
  const value = typed(walk, held, at)
  if (kind === 'string' && typeof value === 'string') return { string: value }
  if (kind === 'money_cents' && typeof value === 'bigint' && BigInt.asIntN(64, value) === value)
    return { money_cents: value }
  if (kind === 'currency' && value === 'usd') return { currency: value }
  const uuid = kind === 'agent_id' && typeof value === 'string' ? parseUuid(value) : undefined
  if (uuid !== undefined) return { agent_id: uuid }
  throw new YamlProblem(`${at}: invalid value of kind \`${kind}\``)
}

function effect(walk: Walk, node: unknown, at: string): Effect {
  const name = typed(walk, node, at)
  if (name === 'allow' || name === 'deny' || name === 'needs_approval') return name
  throw new YamlProblem(`${at}: expected allow, deny or needs_approval`)
}

/** A mapping's members. With `keys`, no others may stand in it and all but `optional` must. */
function mapping(
  walk: Walk,
  node: unknown,
  at: string,
  keys?: readonly string[],
  optional: readonly string[] = [],
): Record<string, unknown> {
  const map = resolve(walk, node)
  if (!isMap(map)) throw new YamlProblem(`${at}: expected a mapping`)
  const found: Record<string, unknown> = Object.create(null)
  for (const item of map.items) {
    const key = text(walk, item.key, at)
    if (keys !== undefined && !keys.includes(key)) throw new YamlProblem(`${at}: unknown field \`${key}\``)
    if (key in found) throw new YamlProblem(`${at}: duplicate field \`${key}\``)
    found[key] = item.value
  }
  for (const key of keys ?? [])
    if (!(key in found) && !optional.includes(key)) throw new YamlProblem(`${at}: missing field \`${key}\``)
  return found
}

function list(walk: Walk, node: unknown, at: string): unknown[] {
  const found = resolve(walk, node)
  if (!isSeq(found)) throw new YamlProblem(`${at}: expected a list`)
  return found.items
}

/** A scalar as it is written: `1.0` is the text "1.0", `null` is "null". */
function text(walk: Walk, node: unknown, at: string): string {
  const scalar = resolve(walk, node)
  if (!isScalar(scalar)) throw new YamlProblem(`${at}: expected a text`)
  if (scalar.type === Scalar.PLAIN) return scalar.source ?? ''
  return String(scalar.value)
}

/** A scalar with its YAML type. */
function typed(walk: Walk, node: unknown, at: string): unknown {
  const scalar = resolve(walk, node)
  if (!isScalar(scalar)) throw new YamlProblem(`${at}: expected a scalar`)
  return scalar.value
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** What each alias stands for: the newest node before it with its anchor. Found in one pass, whatever the number of aliases. */
function aliasTargets(document: Document): ReadonlyMap<unknown, Node> {
  const anchors = new Map<string, Node>()
  const targets = new Map<unknown, Node>()
  visit(document, {
    Node(_key, node) {
      const target = isAlias(node) ? anchors.get(node.source) : undefined
      if (target !== undefined) targets.set(node, target)
      else if ('anchor' in node && typeof node.anchor === 'string') anchors.set(node.anchor, node)
    },
  })
  return targets
}

function resolve(walk: Walk, node: unknown): Node | undefined {
  walk.nodes += 1
  if (walk.nodes > mostNodes) throw new YamlProblem('the document is too large')
  const found = isAlias(node) ? walk.targets.get(node) : (node as Node | undefined)
  if (found !== undefined && found !== null && 'tag' in found && found.tag !== undefined)
    throw new YamlProblem('tags are not supported')
  return found ?? undefined
}
