import { protocol } from '#generated/protocol.js'
import { toolsOfClass } from '../catalog/catalog.ts'

/** The two groups of Hubu tools that a client treats differently before a call, in catalog order. */
function approvalLists(): { auto: string[]; ask: string[] } {
  return { auto: toolsOfClass('read', 'spend'), ask: toolsOfClass('protected') }
}

/** What hubu_client_approval_profile answers, from the full catalog and without network. */
export function approvalProfile(): object {
  const { auto, ask } = approvalLists()
  const spend = ['hubu_submit_spend', 'hubu_authorize_spend'] as const
  return {
    protocol_version: protocol.approval_profile_version,
    summary:
      'Reads and spend tools run without a prompt, because Hubu itself decides every spend. Registration, policy, budget, ' +
      'target and reconciliation tools change what an agent may do, so a human confirms each call in the client first.',
    client_policy: {
      auto_approve_tools: auto,
      prompt_before_call_tools: ask,
      hubu_policy_conditional_tools: [...spend],
    },
    response_contract: {
      needs_approval_field: 'requires_human_approval',
      needs_approval_meaning: 'Hubu wants a human decision first. No payment and no execution has happened.',
      agent_action:
        'Show the returned review to the human and wait. Once it is decided at Hubu, the harness redelivers the same call; ' +
        'do not submit a replacement.',
    },
    annotation_fields: {
      client_pre_call: 'x_hubu_client_approval_mode',
      runtime_policy: 'x_hubu_runtime_approval',
      legacy_hubu_field: 'x_hubu_human_approval',
    },
    tools: [
      { names: toolsOfClass('read'), x_hubu_client_approval_mode: 'auto', x_hubu_runtime_approval: 'none' },
      { names: [...spend], x_hubu_client_approval_mode: 'auto', x_hubu_runtime_approval: 'hubu_policy_needs_approval' },
      {
        names: ask,
        x_hubu_client_approval_mode: 'prompt_before_call',
        x_hubu_runtime_approval: 'client_human_approval_required',
      },
    ],
  }
}
