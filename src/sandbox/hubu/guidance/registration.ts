// The constant document of GET /registration/guidance.
import type { Writable } from '../json/write.ts'

/** How agents register. */
export const registrationGuidance: Writable = {
  protocol_version: 'hubu-agent-registration-v1',
  fingerprint: {
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: 'sha256:',
    canonicalization: 'canonical_json_v1',
  },
  signature_policy: 'not_supported',
  human_inputs: [
    {
      name: 'agent_name',
      required: true,
      prompt: 'Agent name',
      default_strategy: 'workspace_or_runtime_name',
    },
    { name: 'version_label', required: true, prompt: 'Version', default_strategy: 'git_commit_or_dev' },
  ],
  client_filled: {
    'agent_identity.vendor': 'codex',
    'agent_name.default_template': '{vendor}-{workspace}',
    agent_kind: 'codex_agent',
    'runtime.provider': 'codex',
    'runtime.environment': 'development',
    'hubu_client.name': 'current_client_name',
    'hubu_client.version': 'current_client_version',
  },
  identity_payload: {
    required: ['protocol_version', 'owner', 'agent_name', 'agent_kind'],
    optional: ['source_repository_url', 'package_ref', 'issuer', 'agent_public_key_id'],
  },
  version_payload: {
    required: ['protocol_version', 'identity_fingerprint', 'version_label', 'runtime', 'hubu_client'],
    optional: ['code', 'model', 'tool_manifest_digest', 'permission_manifest_digest', 'config_digest'],
  },
  review_fields: [
    'agent_name',
    'owner',
    'agent_kind',
    'version_label',
    'runtime.provider',
    'runtime.environment',
    'code.repository_url',
  ],
}
