import { type ParsedDocument } from '../../documents/format.ts'
import { jsonc } from '../../documents/json.ts'
import { applicationFolder, type Environment, pathOf } from '../environment.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Approvals, type ApprovalRequest, type Client } from './client.ts'
import { scalarAt } from './look-up.ts'
import { standardShape } from './shapes.ts'

/** VS Code: reads run by annotation, the rest is asked for; a sandboxed server is not asked about at all. */
export const vscode: Client = {
  name: 'vscode',
  title: 'VS Code',
  approval: {
    class: 'native',
    bypass: 'VS Code asks nobody at its bypass level, in autopilot and with chat.tools.global.autoApprove.',
  },
  format: jsonc,
  files(environment, scope) {
    const { join } = pathOf(environment)
    if (scope === 'local') return []
    return [
      scope === 'project' ? join(environment.cwd, '.vscode', 'mcp.json') : join(userFolder(environment), 'mcp.json'),
    ]
  },
  section: () => ['servers'],
  shape: standardShape({ localType: 'stdio', remote: 'typed' }),
  outputLimitChars: 45_000,
  approvals,
}

function approvals(request: ApprovalRequest): Approvals {
  const { lists, environment, look, experimentalPins } = request
  const settingsFile = pathOf(environment).join(userFolder(environment), 'settings.json')
  const settings = look(settingsFile, jsonc)
  const pins = Object.fromEntries(lists.ask.map((tool) => [`${entryName}/${tool}`, false]))
  const refusal = sandboxed(request) ?? approvesAll(settings, settingsFile)
  return {
    ...(experimentalPins
      ? {
          files: [
            {
              kind: 'edits',
              path: settingsFile,
              format: jsonc,
              edits: [{ kind: 'merge', path: ['chat.tools.eligibleForAutoApproval'], members: pins }],
            },
          ],
        }
      : {}),
    manual: [
      'VS Code runs the reading tools by itself and asks for the others. When it first asks for these, choose "Always Allow":',
      ...lists.auto.map((tool) => `  ${tool}`),
      'and never for these:',
      ...lists.ask.map((tool) => `  ${tool}`),
    ],
    ...(refusal === undefined ? {} : { trustRefusal: refusal }),
  }
}

function sandboxed({ look, entryFile, entryPath }: ApprovalRequest): string | undefined {
  const document = look(entryFile, jsonc)
  const isSandboxed = scalarAt(document, [...entryPath, 'sandboxEnabled']) === true
  return isSandboxed
    ? `the entry in ${entryFile} has sandboxEnabled: true, with which VS Code skips confirmations`
    : undefined
}

function approvesAll(settings: ParsedDocument | undefined, path: string): string | undefined {
  const key = ['chat.tools.global.autoApprove', 'chat.tools.autoApprove'].find(
    (name) => scalarAt(settings, [name]) === true,
  )
  return key === undefined ? undefined : `${path} sets ${key} to true, so VS Code would ask nobody`
}

function userFolder(environment: Environment): string {
  return pathOf(environment).join(applicationFolder(environment), 'Code', 'User')
}
