// The manifest of a rendered stack and the client handoff that it vouches for.
import { createHash } from 'node:crypto'
import path from 'node:path'
import { memberOf, type ObjectNode } from '../../documents/tree.ts'
import { isObject } from '../../json/read.ts'
import {
  type Ownership,
  readStackFile,
  refuse,
  refuseUnknown,
  required,
  requireOwned,
  type StackFile,
} from './stack-file.ts'

/** What one build of a component says it is. */
export interface ComponentStamp {
  productVersion: string
  sourceCommit: string
  executorContract: string
}

/** The parts of the active manifest that set-up needs. */
export interface Manifest {
  generationId: string
  /** `sha256:<hex>` of the operator's sources when they were rendered; empty in old files. */
  sourceDigests: Record<string, string>
  /** The stamp of the router that the stack was rendered with; undefined when it names none. */
  router?: ComponentStamp
}

/** The handoff: where the backends are and which files hold their tokens. */
export interface Handoff {
  version: 1 | 2
  hubuEndpoint: string
  hubuTokenFile: string
  approvalTokenFile: string
  reconciliationTokenFile: string
  gongbu?: { endpoint: string; tokenFile: string }
  /** Only in version 2. */
  statePath?: string
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isHex = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
const isDigest = (value: unknown): value is string => typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value)
const isPath = (value: unknown): value is string => isText(value) && path.isAbsolute(value)
const isList = (value: unknown): value is unknown[] => Array.isArray(value)

const manifestMembers = [
  'schema_version',
  'generation_id',
  'generation',
  'source_schema_versions',
  'source_digests',
  'generated_file_digests',
  'binary_provenance',
  'process_log_files',
  'restart_impact',
]
const handoffFile = 'client-handoff.json'
const generatedFiles = [
  handoffFile,
  'hubu-launch.json',
  'gongbu-server.json',
  'provider-targets.json',
  'pricing-catalog.json',
]

/** Reads manifest and handoff of a profile and checks form, owners and the digest of the exact handoff bytes. */
export function readProfile(
  profile: string,
  ownership: Ownership,
): { manifest: Manifest; handoff: Handoff; bytes: string } {
  const generated = path.join(profile, 'generated')
  for (const folder of [profile, generated]) requireOwned(folder, ownership, 'folder')
  const manifestFile = readStackFile(path.join(generated, 'active-manifest.json'), ownership)
  const { manifest, digest } = toManifest(manifestFile)
  const folder = path.join(generated, 'generations', manifest.generationId)
  requireOwned(folder, ownership, 'folder')
  const file = readStackFile(path.join(folder, handoffFile), ownership)
  const actual = `sha256:${createHash('sha256').update(file.bytes).digest('hex')}`
  if (actual !== digest)
    throw refuse(file.path, 'is not the file that the manifest was made for (digest mismatch); render the stack again')
  const bytes = createHash('sha256').update(manifestFile.bytes).update(file.bytes).digest('hex')
  return { manifest, handoff: toHandoff(file), bytes }
}

function toManifest(file: StackFile): { manifest: Manifest; digest: string } {
  const { root } = file
  refuseUnknown(file, root, manifestMembers)
  required(file, root, 'schema_version', (value): value is 1 => value === 1, 'the number 1')
  const generationId = required(file, root, 'generation_id', isHex, '64 lowercase hexadecimal digits')
  const generation = `generations/${generationId}`
  required(file, root, 'generation', (value): value is string => value === generation, 'the folder of generation_id')
  const digests = required(file, root, 'generated_file_digests', isObject, 'an object of digests')
  const unknown = Object.keys(digests).find((name) => !generatedFiles.includes(name))
  if (unknown !== undefined) throw refuse(file.path, `has a digest for an unknown file "${unknown}"`)
  if (!Object.values(digests).every(isDigest)) throw refuse(file.path, 'has a digest that is not sha256:<64 hex>')
  const digest = digests[handoffFile]
  if (!isDigest(digest)) throw refuse(file.path, `lacks the digest of ${handoffFile}`)
  return { manifest: { generationId, sourceDigests: sourceDigests(file), router: routerStamp(file) }, digest }
}

function sourceDigests(file: StackFile): Record<string, string> {
  const digests = memberOf(file.root, 'source_digests')
    ? required(file, file.root, 'source_digests', isObject, 'an object')
    : {}
  const names = ['stack.toml', 'credentials.toml', 'providers.toml']
  const isKnown = Object.entries(digests).every(([name, digest]) => names.includes(name) && isDigest(digest))
  if (!isKnown) throw refuse(file.path, 'has a wrong "source_digests"')
  return digests as Record<string, string>
}

function routerStamp(file: StackFile): ComponentStamp | undefined {
  const list = required(file, file.root, 'binary_provenance', isList, 'a list of components')
  const found = list.filter(isObject).find((item) => item['component'] === 'hubu-unified-mcp')
  if (found === undefined) return undefined
  const text = (key: string): string => {
    const value = found[key]
    if (isText(value)) return value
    throw refuse(file.path, `names no ${key} of hubu-unified-mcp in "binary_provenance"`)
  }
  return {
    productVersion: text('product_version'),
    sourceCommit: text('source_commit'),
    executorContract: text('executor_contract'),
  }
}

function toHandoff(file: StackFile): Handoff {
  const { root } = file
  const version = required(
    file,
    root,
    'schema_version',
    (value): value is 1 | 2 => value === 1 || value === 2,
    '1 or 2',
  )
  const shared = ['schema_version', 'mcp_server', 'hubu_endpoint', 'hubu_token_file', 'approval_token_file']
  const members = [...shared, 'reconciliation_token_file', 'gongbu_endpoint', 'gongbu_token_file']
  refuseUnknown(file, root, version === 2 ? [...members, 'operation_state_path'] : members)
  const absolute = (key: string): string => required(file, root, key, isPath, 'an absolute path')
  absolute('mcp_server')
  return {
    version,
    hubuEndpoint: required(file, root, 'hubu_endpoint', isText, 'a URL'),
    hubuTokenFile: absolute('hubu_token_file'),
    approvalTokenFile: absolute('approval_token_file'),
    reconciliationTokenFile: absolute('reconciliation_token_file'),
    ...gongbuOf(file, root, version),
    ...(version === 2 ? { statePath: absolute('operation_state_path') } : {}),
  }
}

/** Later files of version 2 may leave Gongbu out, both members or neither. */
function gongbuOf(file: StackFile, root: ObjectNode, version: 1 | 2): Pick<Handoff, 'gongbu'> {
  const names = ['gongbu_endpoint', 'gongbu_token_file']
  const present = names.filter((name) => memberOf(root, name) !== undefined)
  if (version === 2 && present.length === 0) return {}
  return {
    gongbu: {
      endpoint: required(file, root, 'gongbu_endpoint', isText, 'a URL, together with gongbu_token_file'),
      tokenFile: required(file, root, 'gongbu_token_file', isPath, 'an absolute path, together with gongbu_endpoint'),
    },
  }
}
