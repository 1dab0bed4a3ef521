import { jsonc } from '../../documents/json.ts'
import { type Path } from '../../documents/tree.ts'
import { applicationFolder, type Environment, pathOf } from '../environment.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Approvals, type ApprovalRequest, type Client } from './client.ts'
import { openFiles } from './look-up.ts'
import { type OpenedFile, settingObstacles, type TrustObstacle } from './obstacle.ts'
import { standardShape } from './shapes.ts'

/** VS Code: reads run by annotation, the rest is asked for; a sandboxed server is not asked about at all. */
export const vscode: Client = {
  name: 'vscode',
  aliases: ['vs-code', 'code', 'visual-studio-code'],
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
  homeReference: '${userHome}',
  outputLimitChars: 45_000,
  ownStep: () => 'VS Code asks whether you trust the server before it starts it for the first time.',
  approvals,
}

function approvals(request: ApprovalRequest): Approvals {
  const { lists, environment, entryFile, entryPath, look, experimentalPins } = request
  const settingsFile = pathOf(environment).join(userFolder(environment), 'settings.json')
  const workspaceFile = pathOf(environment).join(environment.cwd, '.vscode', 'settings.json')
  const pins = Object.fromEntries(lists.ask.map((tool) => [`${entryName}/${tool}`, false]))
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
    trustObstacles: () => [
      ...openFiles([entryFile], jsonc, look).flatMap((file) => sandboxObstacles(file, entryPath)),
      ...openFiles([settingsFile, workspaceFile], jsonc, look).flatMap(autoApproveObstacles),
    ],
  }
}

function sandboxObstacles(file: OpenedFile, entryPath: Path): TrustObstacle[] {
  return settingObstacles(
    file,
    [...entryPath, 'sandboxEnabled'],
    (value) => value === true,
    () => ({
      what: 'has sandboxEnabled: true, with which VS Code skips confirmations',
      remedy: 'Remove it there, or run init without --trust-client-approval.',
    }),
  )
}

function autoApproveObstacles(file: OpenedFile): TrustObstacle[] {
  return ['chat.tools.global.autoApprove', 'chat.tools.autoApprove'].flatMap((key) =>
    settingObstacles(
      file,
      [key],
      (value) => value === true,
      () => ({
        what: `sets ${key} to true, so VS Code would ask nobody`,
        remedy: 'Set it to false there, or run init without --trust-client-approval.',
      }),
    ),
  )
}

function userFolder(environment: Environment): string {
  return pathOf(environment).join(applicationFolder(environment), 'Code', 'User')
}
