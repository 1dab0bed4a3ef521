import { Argument, type Command } from 'commander'
import type { CommandModel } from '../completion/command-model.ts'
import type { CliContext } from '../context.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** Adds `completion`: a script that teaches a shell the commands, options and choices of this very version. */
export function addCompletionCommand(program: Command, context: CliContext): void {
  program
    .command('completion')
    .description('print the completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  hubu-unified-mcp completion bash > ~/.local/share/bash-completion/completions/hubu-unified-mcp
  hubu-unified-mcp completion zsh > ~/.zsh/completions/_hubu-unified-mcp    a folder of your fpath
  hubu-unified-mcp completion fish > ~/.config/fish/completions/hubu-unified-mcp.fish`,
    )
    .action(async (shell: Shell) => void context.process.stdout.write(await completionScript(shell, program)))
}

/** The script of one shell for a whole command tree. */
export async function completionScript(shell: Shell, program: Command): Promise<string> {
  const { modelOf } = await import('../completion/command-model.ts')
  const script = await scripts[shell]()
  return script(program.name(), modelOf(program, await knownValues()))
}

const scripts: Record<Shell, () => Promise<(program: string, models: readonly CommandModel[]) => string>> = {
  bash: async () => (await import('../completion/bash.ts')).bashScript,
  zsh: async () => (await import('../completion/zsh.ts')).zshScript,
  fish: async () => (await import('../completion/fish.ts')).fishScript,
}

async function knownValues(): Promise<Record<string, string[]>> {
  const { clients } = await import('../../client-configs/clients/client-list.ts')
  const { faultPresets } = await import('../../sandbox/faults/presets.ts')
  const faults = Object.keys(faultPresets)
  const names = clients.map(({ name }) => name)
  return {
    ' init': names,
    ' try --client': names,
    ' sandbox --fault': faults,
    ' sandbox faults set': faults,
  }
}
