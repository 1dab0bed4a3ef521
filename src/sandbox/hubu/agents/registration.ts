// Pure: reads and checks a registration.
import { createHash } from 'node:crypto'
import { parseJson } from '../json/parse.ts'
import { readFields } from '../json/fields.ts'
import { isObject, member, type JsonObject, type JsonValue } from '../json/value.ts'
import { canonicalJson } from '../json/write.ts'
import { Refusal } from '../refusal.ts'
import type { Registration } from './agents.ts'

const protocol = 'hubu-agent-registration-v1'

interface Signed {
  payload: JsonObject
  fingerprint: string
}

interface Envelope {
  protocolVersion: string
  identity: Signed
  version: Signed
  displayName: string | undefined
  description: string | undefined
  signed: boolean
}

/** The digest of a payload: `sha256:` and the hex of its canonical JSON. */
export function fingerprint(payload: JsonValue): string {
  return `sha256:${createHash('sha256').update(canonicalJson(payload)).digest('hex')}`
}

/**
 * Reads either body shape, the envelope first, and checks it for the current owner. Throws a 400.
 */
export function readRegistration(body: JsonObject, ownerPublicId: string, productVersion: string): Registration {
  const envelope = envelopeOf(body) ?? simpleEnvelope(body, ownerPublicId, productVersion)
  return checkEnvelope(envelope, ownerPublicId)
}

/** The registration that `{name, version}` stands for. */
export function simpleRegistration(
  name: string,
  version: string,
  ownerPublicId: string,
  productVersion: string,
): Registration {
  return checkEnvelope(buildEnvelope(name, version, ownerPublicId, productVersion), ownerPublicId)
}

/** The body as an envelope, or undefined if it does not have that shape. */
function envelopeOf(body: JsonObject): Envelope | undefined {
  try {
    const fields = readFields(body, { keys: ['protocol_version', 'identity', 'version', 'review', 'signature'] })
    const review = fields.optionalObject('review')
    const shown = review && readFields(review, { keys: ['display_name', 'description'], depth: 2 })
    return {
      protocolVersion: fields.text('protocol_version'),
      identity: signedOf(fields.object('identity')),
      version: signedOf(fields.object('version')),
      displayName: shown?.optionalText('display_name'),
      description: shown?.optionalText('description'),
      signed: fields.value('signature') !== undefined,
    }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function signedOf(object: JsonObject): Signed {
  const fields = readFields(object, { keys: ['payload', 'fingerprint'], depth: 2 })
  return { payload: fields.object('payload'), fingerprint: fields.text('fingerprint') }
}

function simpleEnvelope(body: JsonObject, ownerPublicId: string, productVersion: string): Envelope {
  try {
    const fields = readFields(body, { keys: ['name', 'version'] })
    return buildEnvelope(fields.text('name'), fields.text('version'), ownerPublicId, productVersion)
  } catch (error) {
    if (error instanceof Refusal)
      throw new Refusal(`the body is neither a registration envelope nor {name, version}: ${error.message}`)
    throw error
  }
}

function buildEnvelope(name: string, label: string, ownerPublicId: string, productVersion: string): Envelope {
  const identity = asJson({
    protocol_version: protocol,
    owner: { type: 'hubu_user', pub_id: ownerPublicId },
    agent_name: name,
    agent_kind: 'codex_agent',
  })
  const version = asJson({
    protocol_version: protocol,
    identity_fingerprint: fingerprint(identity),
    version_label: label,
    runtime: { provider: 'codex', environment: 'development' },
    hubu_client: { name: 'hubu-cli', version: productVersion },
  })
  return {
    protocolVersion: protocol,
    identity: { payload: identity, fingerprint: fingerprint(identity) },
    version: { payload: version, fingerprint: fingerprint(version) },
    displayName: undefined,
    description: 'Registered through the Hubu CLI',
    signed: false,
  }
}

function checkEnvelope(envelope: Envelope, ownerPublicId: string): Registration {
  const { identity, version } = envelope
  if (envelope.protocolVersion !== protocol)
    throw new Refusal(`unsupported registration protocol version \`${envelope.protocolVersion}\``)
  if (envelope.signed) throw new Refusal('registration signatures are not supported')
  if (identity.fingerprint !== fingerprint(identity.payload)) throw new Refusal('identity fingerprint mismatch')
  if (version.fingerprint !== fingerprint(version.payload)) throw new Refusal('version fingerprint mismatch')
  for (const [name, { payload }] of [
    ['identity', identity],
    ['version', version],
  ] as const)
    if (textIn(payload, 'protocol_version', name) !== protocol)
      throw new Refusal(`${name} payload has an unsupported protocol_version`)
  const owner = objectIn(identity.payload, 'owner', 'identity')
  const agentName = textIn(identity.payload, 'agent_name', 'identity')
  const agentKind = textIn(identity.payload, 'agent_kind', 'identity')
  const identityFingerprint = textIn(version.payload, 'identity_fingerprint', 'version')
  const versionLabel = textIn(version.payload, 'version_label', 'version')
  const runtime = objectIn(version.payload, 'runtime', 'version')
  textIn(runtime, 'provider', 'version', 'runtime.')
  const environment = textIn(runtime, 'environment', 'version', 'runtime.')
  const client = objectIn(version.payload, 'hubu_client', 'version')
  textIn(client, 'name', 'version', 'hubu_client.')
  textIn(client, 'version', 'version', 'hubu_client.')
  if (identityFingerprint !== identity.fingerprint)
    throw new Refusal('version payload identity_fingerprint must match the identity fingerprint')
  if (member(owner, 'type') !== 'hubu_user') throw new Refusal('identity payload owner.type must be `hubu_user`')
  if (member(owner, 'pub_id') !== ownerPublicId)
    throw new Refusal('identity payload owner.pub_id must match the current Hubu user')
  if (agentKind !== 'codex_agent') throw new Refusal(`unsupported agent kind \`${agentKind}\``)
  if (!['production', 'staging', 'development'].includes(environment))
    throw new Refusal(`unsupported runtime environment \`${environment}\``)
  return {
    identityFingerprint: identity.fingerprint,
    versionFingerprint: version.fingerprint,
    versionLabel,
    versionPayload: canonicalJson(version.payload),
    displayName: envelope.displayName ?? agentName,
    description: envelope.description ?? 'Registered through a Hubu registration envelope',
  }
}

function objectIn(payload: JsonObject, key: string, name: string): JsonObject {
  const value = member(payload, key)
  if (!isObject(value)) throw new Refusal(`${name} payload missing object field \`${key}\``)
  return value
}

function textIn(payload: JsonObject, key: string, name: string, prefix = ''): string {
  const value = member(payload, key)
  if (typeof value !== 'string') throw new Refusal(`${name} payload missing string field \`${prefix}${key}\``)
  return value
}

function asJson(value: Record<string, unknown>): JsonObject {
  return parseJson(JSON.stringify(value)) as JsonObject
}
