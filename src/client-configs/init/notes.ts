// What a person should know about a plan beyond the plan itself.
import { type Look } from '../clients/client.ts'
import { type ServerEntry } from '../entry/server-entry.ts'
import { namesVersion } from '../entry/stable-node.ts'
import { type InitRequest } from './request.ts'
import { noteRivals } from './rivals.ts'

/** Notes on spending, other entries, clients that cut results, catalogs read once, and steps of the client. */
export function noteProblems(request: InitRequest, server: ServerEntry, file: string, look: Look): string[] {
  const { client, scope, environment, program, responseBudgetBytes } = request
  const notes: string[] = [noteSpending(request), ...noteRivals({ client, scope, file }, environment, program, look)]
  if (server.command === program.nodePath && namesVersion(program.nodePath)) {
    notes.push(`The entry names Node by its version (${program.nodePath}): run init again after an upgrade of Node.`)
  }
  const limit = client.outputLimitChars
  if (limit !== undefined && responseBudgetBytes !== undefined && responseBudgetBytes > limit) {
    notes.push(
      `response_budget is ${responseBudgetBytes} bytes, but ${client.title} cuts results at about ${limit} characters.`,
    )
  }
  if (client.freezesCatalog === true) {
    notes.push(`${client.title} reads the list of tools once: when a backend comes up later, start it again.`)
  }
  const step = client.ownStep?.(scope)
  return step === undefined ? notes : [...notes, step]
}

/** Whether this client can spend with that entry: by an id of its own, or because the router names its purchases. */
export function canSpend(request: Pick<InitRequest, 'client' | 'connection' | 'guardedIdentity'>): boolean {
  return request.client.sendsCallId === true || namesPurchases(request)
}

function namesPurchases({ connection, guardedIdentity }: Pick<InitRequest, 'connection' | 'guardedIdentity'>): boolean {
  return guardedIdentity || connection.kind === 'sandbox'
}

/** Whether the client can spend, and why. */
function noteSpending(request: InitRequest): string {
  const { title, name, sendsCallId } = request.client
  if (sendsCallId === true) return `${title} sends an id with each call, so it can spend.`
  const none = `${title} sends no id with a call`
  if (!namesPurchases(request))
    return (
      `${none}, so it cannot spend: its spends answer identity_missing. With --guarded-identity the router names its purchases; then ` +
      'two equal purchases that are both meant become one for as long as the first is open and ten minutes after.'
    )
  const who = request.guardedIdentity ? ` It buys as ${name}.` : ''
  return (
    `${none}, so the router names its purchases and it can spend. Two equal purchases that are both meant become one for as long as the ` +
    'first is open and ten minutes after; a person confirms a second one with `hubu-unified-mcp operations confirm`. A client that ' +
    `sends ids does better.${who}`
  )
}
