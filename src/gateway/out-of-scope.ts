/** The refusal of a tool outside the scope; says nothing else about it. */
export function outOfScope(name: string): string {
  return `tool ${name} is out of scope for this agent.`
}
