// Pure: which whole definitions fit an agent's schema budget. Nothing is ever cut.

/** A definition that could be shown. */
export interface Candidate {
  name: string
  /** Bytes of its serialized definition. */
  bytes: number
}

/** What `list_servers` reports about a configured budget; all sizes in bytes. */
export interface SchemaBudgetReport {
  budget_bytes: number
  eligible_tools: number
  advertised_tools: number
  omitted_tools: number
  eligible_definition_bytes: number
  advertised_definition_bytes: number
  eligible_estimated_tokens: number
  advertised_estimated_tokens: number
  advertised_names?: string[]
  omitted_names?: string[]
}

/** First fit in the order of names: one that is too large is left out, a later smaller one may still fit. */
export function fitSchemas(candidates: readonly Candidate[], budgetBytes: number): SchemaBudgetReport {
  const advertised: Candidate[] = []
  const omitted: Candidate[] = []
  let used = 0
  for (const candidate of [...candidates].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const fits = used + candidate.bytes <= budgetBytes
    if (fits) used += candidate.bytes
    ;(fits ? advertised : omitted).push(candidate)
  }
  const eligible = candidates.reduce((sum, { bytes }) => sum + bytes, 0)
  return {
    budget_bytes: budgetBytes,
    eligible_tools: candidates.length,
    advertised_tools: advertised.length,
    omitted_tools: omitted.length,
    eligible_definition_bytes: eligible,
    advertised_definition_bytes: used,
    eligible_estimated_tokens: Math.ceil(eligible / 4),
    advertised_estimated_tokens: Math.ceil(used / 4),
    ...(advertised.length > 0 && { advertised_names: advertised.map(({ name }) => name) }),
    ...(omitted.length > 0 && { omitted_names: omitted.map(({ name }) => name) }),
  }
}
