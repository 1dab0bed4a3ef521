/** An execution as Gongbu would send it, with other members where a case needs them. */
export function execution(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    schema_version: 1,
    execution_id: 'exec-1',
    operation_key: 'key-1',
    status: 'succeeded',
    outcome: 'gongbu-marker',
    failure: null,
    authorization: { amount_minor: 25, currency: 'USD' },
    created_at: '2026-08-18T00:00:00Z',
    updated_at: '2026-08-18T00:00:01Z',
    started_at: null,
    completed_at: null,
    ...more,
  }
}

/** An artifact as Gongbu would list it. */
export function artifact(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    artifact_id: 'art-1',
    execution_id: 'exec-1',
    kind: 'image',
    media_type: 'image/png',
    size_bytes: 8,
    sha256: 'sha256:x',
    metadata: {},
    metadata_schema_version: 1,
    created_at: '2026-08-18T00:00:00Z',
    ...more,
  }
}
