import { jsonc } from '../../documents/json.ts'
import { pathOf, variable } from '../environment.ts'
import { type Client } from './client.ts'
import { expandsDollar } from './manual.ts'
import { standardShape } from './shapes.ts'

/** Qwen Code: in its default mode a model decides about approvals, so nothing of ours would hold. */
export const qwen: Client = {
  name: 'qwen',
  aliases: ['qwen-code'],
  title: 'Qwen Code',
  approval: {
    class: 'cannot',
    bypass: 'Qwen Code lets a model decide about approvals in auto mode, its default; yolo mode and trust ask nobody.',
  },
  format: jsonc,
  files(environment, scope) {
    const { join } = pathOf(environment)
    if (scope === 'local') return []
    const own = variable(environment, 'QWEN_HOME') ?? join(environment.home, '.qwen')
    return [join(scope === 'project' ? join(environment.cwd, '.qwen') : own, 'settings.json')]
  },
  section: () => ['mcpServers'],
  shape: standardShape({ remote: 'http-url' }),
  expands: expandsDollar,
  homeReference: '${HOME}',
  approvals: ({ lists }) => ({
    manual: [
      'Qwen Code decides about approvals by its mode (tools.approvalMode):',
      '  default  asks a person for every tool that changes something',
      '  auto     lets a model decide; this is what it starts with',
      '  yolo     asks nobody',
      'Only the first is fit for tools that need a person. Never allow these:',
      ...lists.ask.map((tool) => `  ${tool}`),
    ],
  }),
}
