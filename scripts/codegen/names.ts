/** `hubu_create_budget` -> `HubuCreateBudget`. */
export function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** Names of the definitions of a schema that become types and validators of their own. */
export function definitionNames(schema: Record<string, unknown>): string[] {
  return Object.keys((schema['$defs'] ?? {}) as object).sort()
}
