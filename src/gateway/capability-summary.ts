// Pure: what the servers in scope are for, in at most 2,048 bytes.
import type { ScopeLists } from '../names/scope.ts'

/** A configured server, as far as a summary needs it. */
export interface SummarizedServer {
  name: string
  description?: string
  tags?: readonly string[]
  use_when?: readonly string[]
}

const summaryLimitBytes = 2048
const hintLimitBytes = 256

/** One item per server, `name: hint`; what does not fit is counted at the end. Empty when nothing is in scope. */
export function capabilitySummary(servers: readonly SummarizedServer[], lists: ScopeLists | null): string {
  const items = [...servers]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((server) => {
      const hint = hintOf(server, lists?.tools)
      if (hint === null) return []
      return [hint === '' ? server.name : `${server.name}: ${hint}`]
    })
  let summary = ''
  for (const [index, item] of items.entries()) {
    const left = items.length - index - 1
    const next = summary === '' ? item : `${summary} | ${item}`
    if (bytes(next) + bytes(left > 0 ? overflow(left) : '') > summaryLimitBytes) {
      if (summary === '') return clip(item, summaryLimitBytes)
      const noted = summary + overflow(items.length - index)
      return bytes(noted) <= summaryLimitBytes ? noted : summary
    }
    summary = next
  }
  return summary
}

const overflow = (count: number) => ` | +${count} more; call list_servers`

/** Null when the scope allows no tool of the server. */
function hintOf(
  { name, description, tags, use_when: useWhen }: SummarizedServer,
  tools: readonly string[] | undefined,
): string | null {
  if (tools !== undefined) return allowedTools(name, tools)
  const text = useWhen?.length ? useWhen.join('; ') : description || (tags ?? []).join(', ')
  return clip(text.replace(/\s+/g, ' ').trim(), hintLimitBytes)
}

function allowedTools(server: string, tools: readonly string[]): string | null {
  const names = tools
    .filter((tool) => tool.startsWith(`${server}__`))
    .map((tool) => tool.slice(server.length + 2))
    .sort()
  if (names.length === 0) return null
  let hint = ''
  for (const [index, name] of names.entries()) {
    const next = hint === '' ? `allowed tools: ${name}` : `${hint}, ${name}`
    const left = names.length - index - 1
    if (bytes(next) + (left > 0 ? bytes(` (+${left} more)`) : 0) > hintLimitBytes) {
      return hint === '' ? clip(next, hintLimitBytes) : `${hint} (+${names.length - index} more)`
    }
    hint = next
  }
  return hint
}

const bytes = (text: string) => Buffer.byteLength(text)

/** The longest prefix of whole characters within so many bytes. */
function clip(text: string, limitBytes: number): string {
  const all = Buffer.from(text)
  if (all.length <= limitBytes) return text
  let end = limitBytes
  // A byte of the form 10xxxxxx continues a character.
  while (end > 0 && ((all[end] ?? 0) & 0xc0) === 0x80) end--
  return all.subarray(0, end).toString()
}
