// What an update changes, in words that show no secret. Pure.
import { type ServerDefinition } from '../clients/client.ts'
import { maskArguments, maskUrls, shorten } from '../files/mask.ts'

/** Per field `old → new`; of variables only the names, with `+`, `-` or `~`. */
export function describeUpdate(old: ServerDefinition, wanted: ServerDefinition): string {
  const shown = (server: ServerDefinition, field: keyof ServerDefinition): string => {
    if (field === 'args') return `[${maskArguments(server.args ?? []).join(' ')}]`
    return maskUrls(String(server[field] ?? '-'))
  }
  const fields = (['command', 'args', 'url', 'transport'] as const).filter(
    (field) => shownRaw(old, field) !== shownRaw(wanted, field),
  )
  const parts = fields.map((field) => `${field}: ${shorten(shown(old, field))} → ${shorten(shown(wanted, field))}`)
  const env = describeEnv(old.env ?? {}, wanted.env ?? {})
  return [...parts, ...(env === '' ? [] : [`env: ${env}`])].join('; ')
}

function shownRaw(server: ServerDefinition, field: keyof ServerDefinition): string {
  return JSON.stringify(server[field] ?? null)
}

function describeEnv(old: Record<string, string>, wanted: Record<string, string>): string {
  const names = [...new Set([...Object.keys(old), ...Object.keys(wanted)])].toSorted()
  return names
    .flatMap((name) => {
      if (!Object.hasOwn(old, name)) return [`+${shorten(name)}`]
      if (!Object.hasOwn(wanted, name)) return [`-${shorten(name)}`]
      return old[name] === wanted[name] ? [] : [`~${shorten(name)}`]
    })
    .join(' ')
}
