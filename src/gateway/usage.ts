// Pure: the answer of stats, as far as the agent's scope goes.
import type { UsageReport } from '../stats/report.ts'
import type { AgentView } from './agent.ts'

/** The whole report, or the part of it that an agent with a scope may see, summed anew. */
export function usageInScope({ totals, servers }: UsageReport, agent: AgentView): object {
  if (!agent.isScoped) return { totals, servers }
  const inScope = servers.filter(({ server }) => agent.scope.allowsServer(server))
  const sum = (of: (usage: (typeof servers)[number]) => number) => inScope.reduce((all, item) => all + of(item), 0)
  const texts = sum((item) => item.text_arguments ?? 0)
  return {
    totals: {
      calls: sum(({ calls }) => calls),
      est_tokens: sum((item) => item.est_tokens),
      total_ms: sum((item) => item.avg_ms * item.calls),
      errors: sum(({ errors }) => errors),
      received_bytes: sum((item) => item.received_bytes),
      sent_bytes: sum((item) => item.sent_bytes),
      ...(texts > 0 && { text_arguments: texts }),
    },
    servers: inScope,
  }
}
