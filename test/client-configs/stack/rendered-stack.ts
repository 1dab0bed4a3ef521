// A stack profile as `hubu stack` renders it, made by us after its description.
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const generation = 'a'.repeat(64)
const sha256 = (bytes: string | Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** What may differ from a good profile. */
export interface StackOptions {
  version?: 1 | 2 | 3
  /** Members of the handoff to add or replace; undefined removes one. */
  handoff?: Record<string, unknown>
  /** Members of the manifest. */
  manifest?: Record<string, unknown>
  commit?: string
}

/** Writes a profile into a folder and gives the paths that tests look at. */
export function renderStack(profile: string, options: StackOptions = {}) {
  const folder = path.join(profile, 'generated', 'generations', generation)
  const tokens = path.join(profile, 'state', 'credentials')
  for (const each of [folder, tokens]) mkdirSync(each, { recursive: true, mode: 0o700 })
  const token = (name: string): string => {
    const file = path.join(tokens, name)
    writeFileSync(file, `canary-${name}\n`, { mode: 0o600 })
    return file
  }
  const files = {
    auth: token('auth'),
    approval: token('approval'),
    reconciliation: token('reconciliation'),
    gongbu: token('gongbu'),
  }
  const version = options.version ?? 2
  const statePath = path.join(profile, 'state', 'hubu-unified-operations.sqlite3')
  const handoff = {
    approval_token_file: files.approval,
    gongbu_endpoint: 'http://127.0.0.1:8788',
    gongbu_token_file: files.gongbu,
    hubu_endpoint: 'http://127.0.0.1:8787',
    hubu_token_file: files.auth,
    mcp_server: '/opt/reference/hubu-unified-mcp',
    ...(version >= 2 ? { operation_state_path: statePath } : {}),
    reconciliation_token_file: files.reconciliation,
    schema_version: version,
    ...options.handoff,
  }
  const handoffFile = path.join(folder, 'client-handoff.json')
  const handoffBytes = JSON.stringify(handoff, null, 2)
  writeFileSync(handoffFile, handoffBytes, { mode: 0o600 })
  const sources = ['stack.toml', 'credentials.toml', 'providers.toml']
  for (const name of sources) writeFileSync(path.join(profile, name), 'schema_version = 1\n', { mode: 0o600 })
  const router = {
    component: 'hubu-unified-mcp',
    path: '/opt/reference/hubu-unified-mcp',
    product_version: '0.2.0',
    source_commit: options.commit ?? 'c'.repeat(40),
    executor_contract: 'hubu-spend-executor-v4.3',
  }
  const manifest = {
    binary_provenance: [{ ...router, component: 'hubu' }, router],
    generated_file_digests: { 'client-handoff.json': sha256(handoffBytes) },
    generation: `generations/${generation}`,
    generation_id: generation,
    process_log_files: { hubu: null },
    restart_impact: [],
    schema_version: 1,
    source_digests: Object.fromEntries(sources.map((name) => [name, sha256(readFileSync(path.join(profile, name)))])),
    source_schema_versions: { credentials: 1, providers: 1, stack: 1 },
    ...options.manifest,
  }
  const manifestFile = path.join(profile, 'generated', 'active-manifest.json')
  writeFileSync(manifestFile, JSON.stringify(manifest, null, 2) + '\n', { mode: 0o600 })
  // A restrictive umask is not assumed.
  for (const each of [profile, path.join(profile, 'generated')]) chmodSync(each, 0o700)
  return { profile, folder, files, handoffFile, manifestFile, statePath }
}

/** Writes the launcher's record of its processes. */
export function writeLauncherState(
  profile: string,
  processes: Record<string, { pid: number; process_identity: string }>,
): void {
  mkdirSync(path.join(profile, 'runtime'), { recursive: true, mode: 0o700 })
  const state = { schema_version: 1, profile, generation_id: generation, launch_id: 'x', processes }
  writeFileSync(path.join(profile, 'runtime', 'launcher-state.json'), JSON.stringify(state), { mode: 0o600 })
}
