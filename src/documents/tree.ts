// What a parsed configuration file looks like to the splice engine: one tree for JSON, TOML and YAML, whose nodes know
// where in the text they stand. Offsets count UTF-16 units of the text without its byte order mark.

/** A value that we may write into a file. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain }

/** The members of an object that we may write, in the order in which they appear. */
export type PlainObject = { [key: string]: Plain }

/** One step of a path: a key, or the item of a list whose `name` is the given one (`local-agent`). */
export type Step = string | { name: string }

/** Where a value lives, from the root of the file. */
export type Path = readonly Step[]

/** A value's place in the text. `end` is exclusive. */
export interface Span {
  start: number
  end: number
}

/** A value that is neither object nor list. Its source text is compared, so no number is ever rounded. */
export interface ScalarNode extends Span {
  kind: 'scalar'
  /** The exact text, with tag and anchor where the format has them. */
  source: string
  /** What the text means: string, boolean, null, number or bigint; undefined when only the source is meaningful. */
  value: unknown
}

/** A list. */
export interface ListNode extends Span {
  kind: 'list'
  items: TreeNode[]
  /** How the list is written: each format has its own forms. */
  form: unknown
}

/** A member of an object. The span covers key and value. */
export interface Member extends Span {
  key: string
  value: TreeNode
}

/** An object, table or map, in the order of the text. A key may occur twice where the format's parser allows it. */
export interface ObjectNode extends Span {
  kind: 'object'
  members: Member[]
  /** How the object is written: each format has its own forms. */
  form: unknown
}

/** Any value of a parsed file. */
export type TreeNode = ScalarNode | ListNode | ObjectNode

/** The member with this key; the last one when the key occurs more than once. */
export function memberOf(object: ObjectNode, key: string): Member | undefined {
  return object.members.findLast((member) => member.key === key)
}

/** The node at a path, or undefined when there is none. */
export function nodeAt(root: TreeNode, path: Path): TreeNode | undefined {
  let node: TreeNode | undefined = root
  for (const step of path) {
    if (node === undefined) return undefined
    node = stepInto(node, step)
  }
  return node
}

/** One step down, or undefined when there is nothing of that name. */
export function stepInto(node: TreeNode, step: Step): TreeNode | undefined {
  if (typeof step === 'string') return node.kind === 'object' ? memberOf(node, step)?.value : undefined
  return node.kind === 'list' ? node.items.find((item) => nameOf(item) === step.name) : undefined
}

/** The `name` member of a list item, when it is a text. */
export function nameOf(item: TreeNode): string | undefined {
  const name = item.kind === 'object' ? memberOf(item, 'name')?.value : undefined
  return name?.kind === 'scalar' && typeof name.value === 'string' ? name.value : undefined
}

/** The node as a plain value; undefined when some part of it has no exact plain form (dates, big integers, aliases). */
export function toPlain(node: TreeNode): Plain | undefined {
  switch (node.kind) {
    case 'scalar':
      return isPlainScalar(node.value) ? node.value : undefined
    case 'list': {
      const items = node.items.map(toPlain)
      return items.every((item) => item !== undefined) ? items : undefined
    }
    case 'object': {
      const entries = node.members.map((member): [string, Plain | undefined] => [member.key, toPlain(member.value)])
      return entries.every((entry): entry is [string, Plain] => entry[1] !== undefined)
        ? Object.fromEntries(entries)
        : undefined
    }
  }
}

/** The node as a value for reading only: parts without a plain form are undefined in it. */
export function toLoose(node: TreeNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value
    case 'list':
      return node.items.map(toLoose)
    case 'object':
      return Object.fromEntries(node.members.map((member) => [member.key, toLoose(member.value)]))
  }
}

/** True when the node says exactly this value; the order of an object's members does not matter. */
export function hasValue(node: TreeNode, value: Plain): boolean {
  if (Array.isArray(value)) {
    return (
      node.kind === 'list' &&
      node.items.length === value.length &&
      node.items.every((item, i) => hasValue(item, value[i]!))
    )
  }
  if (value !== null && typeof value === 'object') {
    const keys = Object.keys(value)
    return (
      node.kind === 'object' &&
      node.members.length === keys.length &&
      node.members.every((member) => Object.hasOwn(value, member.key) && hasValue(member.value, value[member.key]!))
    )
  }
  return node.kind === 'scalar' && sameScalar(node.value, value)
}

/** A path for people: `mcpServers.hubu`, quoted where a key is not a plain word. */
export function showPath(path: Path): string {
  const shown = path.map((step) => (typeof step === 'string' ? step : `[name=${step.name}]`))
  return shown.map((step) => (/^[\w[\]=@/:*-]+$/.test(step) ? step : JSON.stringify(step))).join('.')
}

function isPlainScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function sameScalar(left: unknown, right: unknown): boolean {
  if (typeof left === 'bigint' && typeof right === 'number') return left === BigInt(right)
  return left === right
}
