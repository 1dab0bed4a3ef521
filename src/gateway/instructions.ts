// Pure: what `initialize` tells the model about the gateway.

/** What the instructions depend on: configuration only, never live connections. */
export interface InstructionFacts {
  expose: 'all' | 'lazy'
  /** The capability summary; empty when nothing is in scope. */
  summary: string
  hasPins: boolean
  /** Whether protected or spend tools exist that are called by their own names. */
  hasDirectTools: boolean
  /** Whether the router names purchases that no harness named. */
  namesPurchases: boolean
  /** The agent's schema budget in bytes. */
  budgetBytes: number | undefined
}

/** At most about 4 KB, of which the summary is at most 2,048 bytes. */
export function instructions(facts: InstructionFacts): string {
  const { expose, summary, hasPins, hasDirectTools, namesPurchases, budgetBytes } = facts
  const isLazy = expose === 'lazy'
  return [
    'This is a gateway in front of several MCP servers. Their tools are named server__tool; the tools of Hubu (decides about ' +
      'money) and Gongbu (executes paid work) keep their own names, hubu_… and gongbu_…. ' +
      'list_servers says which servers there are, whether they are connected and what each says of its use, resolve_tool recommends one tool for a goal, ' +
      'search_tools browses by description, stats counts calls.',
    ...(isLazy ? [lazyWay] : []),
    ...(isLazy && summary !== '' ? [`What is behind it: ${summary}`] : []),
    ...(isLazy && hasPins ? ['Pinned tools are listed as well; call them by name.'] : []),
    ...(isLazy && hasDirectTools
      ? [
          'Tools marked direct_call (money and everything a human must confirm) are never called through call_tool: call them ' +
            'by their own name.',
        ]
      : []),
    ...(namesPurchases
      ? [
          'Spends here are named by the router: the same spend tool with exactly the same arguments is the same purchase. After a lost answer ' +
            'make the same call again, and never change arguments to get past an answer.',
        ]
      : []),
    ...(budgetBytes === undefined
      ? []
      : [
          `Listed tool definitions are limited to ${budgetBytes} bytes beside the 8 tools of the gateway, which always stay ` +
            'listed; a tool that is left out can still be called with call_tool.',
        ]),
  ].join('\n\n')
}

const lazyWay =
  'It is in lazy mode: most tools are hidden on purpose, and all of them are available. Without being asked, call resolve_tool with ' +
  'your present goal whenever substantial work begins or its phase changes (research, planning, implementation, verification), and ' +
  'when a tool failed or was not enough. Run a recommendation with call_tool only if its status equals confident and ambiguous ' +
  'equals false; otherwise compare the alternatives, use search_tools, or ask. If argument_template_truncated is true, read the ' +
  'whole schema first. An answer with a callId is not lost: page an oversized result with get_result, ask for a detached call with ' +
  'poll_result.'
