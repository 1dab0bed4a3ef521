// What a person should know about a plan beyond the plan itself. Pure.
import { type ServerEntry } from '../entry/server-entry.ts'
import { type FilePlan } from '../files/file-plan.ts'
import { type InitRequest } from './request.ts'

/** Notes on committed files, clients that cut results, catalogs read once, and variables that overrule token files. */
export function noteProblems(request: InitRequest, server: ServerEntry, files: readonly FilePlan[]): string[] {
  const { client, scope, environment, responseBudgetBytes } = request
  const notes: string[] = []
  const values = [server.command, ...server.args, ...Object.values(server.env)]
  if (scope === 'project' && values.some((value) => value.startsWith(environment.home))) {
    const file = files.at(-1)?.file.path ?? 'the project file'
    notes.push(
      `${file} is usually committed, and the entry names files in your home folder; others cannot use it as it is.`,
    )
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
  return notes
}
