// What `doctor` prints: lines for a script, and a page with headings for a person. Pure.
import type { MendedEntry } from '../client-configs/mend/mend-entries.ts'
import type { Finding } from '../doctor/finding.ts'
import { plainAppearance, wrap, type Appearance } from '../terminal/appearance.ts'
import { label } from '../terminal/foreign-text.ts'

/** The whole report. */
export function doctorText(
  findings: readonly Finding[],
  mended: readonly MendedEntry[],
  look: Appearance = plainAppearance,
): string {
  if (!look.isTerminal)
    return [...mended.map(mendedLines), ...findings.map((finding) => toLines(finding, look))].join('')
  const sections = [
    section('Mended', mended.map(mendedLines), look),
    section('This machine', findings.filter(isOfMachine), look),
    ...routers(findings).map(([clients, own]) =>
      section(`What ${clients} reach${clients.includes(',') ? '' : 'es'}`, own, look),
    ),
    section('Clients', findings.filter(isOfClient), look),
  ].filter((text) => text !== '')
  return `${sections.join('\n')}\n${verdict(findings, look)}\n`
}

const isOfClient = ({ check, clients }: Finding): boolean => clients === undefined && check.startsWith('client ')
const isOfMachine = (finding: Finding): boolean => finding.clients === undefined && !isOfClient(finding)

function routers(findings: readonly Finding[]): [clients: string, findings: Finding[]][] {
  const byClients = new Map<string, Finding[]>()
  for (const finding of findings) {
    if (finding.clients === undefined) continue
    const clients = finding.clients.join(', ')
    byClients.set(clients, [...(byClients.get(clients) ?? []), finding])
  }
  return [...byClients]
}

function section(title: string, entries: readonly (Finding | string)[], look: Appearance): string {
  if (entries.length === 0) return ''
  const lines = entries.map((entry) => (typeof entry === 'string' ? entry : onTerminal(entry, look)))
  return `${look.paint.bold(title)}\n${lines.join('')}`
}

const checkWidth = 22

function onTerminal({ check, status, message, remedy }: Finding, { paint, width }: Appearance): string {
  const mark = { ok: paint.green('ok  '), warning: paint.yellow('warn'), failure: paint.red('FAIL') }[status]
  const indent = checkWidth + 8
  const line = `  ${mark}  ${check.padEnd(checkWidth)}${wrap(label(message), width, indent)}\n`
  const way =
    remedy === undefined ? '' : `${' '.repeat(indent)}${paint.cyan(`-> ${wrap(label(remedy), width, indent + 3)}`)}\n`
  return line + way
}

function verdict(findings: readonly Finding[], { paint }: Appearance): string {
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length
  const [failures, warnings] = [count('failure'), count('warning')]
  if (failures === 0 && warnings === 0) return paint.green('All is well.')
  const told = [
    ...(failures > 0 ? [paint.red(`${failures} ${failures === 1 ? 'thing does' : 'things do'} not work`)] : []),
    ...(warnings > 0 ? [paint.yellow(`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`)] : []),
  ]
  return `${told.join(', ')}; what to do is behind each ->.`
}

function toLines({ check, status, message, remedy, clients }: Finding, { paint }: Appearance): string {
  const mark = { ok: paint.green('ok  '), warning: paint.yellow('warn'), failure: paint.red('FAIL') }[status]
  const whose = clients === undefined ? check : `${check} (${clients.join(', ')})`
  const line = `${mark}  ${whose.padEnd(20)}  ${label(message)}\n`
  return remedy === undefined ? line : `${line}${' '.repeat(28)}-> ${label(remedy)}\n`
}

function mendedLines({ client, done, left }: MendedEntry): string {
  const lines = [...done.map((sentence) => `mended: ${sentence}`), ...left.map((sentence) => `left: ${sentence}`)]
  return lines.map((line) => `${client}: ${label(line)}\n`).join('')
}
