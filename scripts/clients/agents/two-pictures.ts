import { pictureScope } from '../../../src/demo/journey.ts'
import type { Seen, Step } from '../scripted-model/script.ts'

/** One picture of a cent is allowed, four together are left to a human. */
export const policyYaml = `id: clients
version: "1"
default_effect: needs_approval
rules:
  - { id: small, effect: allow, when: { op: lte, field: amount, value: { money_cents: 2 } }, reason: Small spends are fine. }
`
const smallCount = 1
const largeCount = 4

/** What all pictures cost: a cent for each. */
export const paidCents = smallCount + largeCount

const accountIn = ({ account }: Seen) => (account?.agents as { account_id: string }[] | undefined)?.[0]?.account_id

/** The status names the authorization of an approval in its words. */
const authorizationIn = (guidance: unknown) => /auth_token_id ([0-9a-f-]{36})/.exec(String(guidance))?.[1]

/** From an authorization to the picture's bytes. */
const picture = (
  name: string,
  prompt: string,
  count: number,
  authorized: (seen: Seen) => unknown,
  handle: (seen: Seen) => unknown,
): Step[] => [
  {
    name: `${name}: create`,
    tool: 'gongbu_create_execution',
    args: (seen) => ({
      schema_version: 2,
      spend_auth_token_id: authorized(seen),
      input: { prompt, image_count: count },
      input_schema_version: 1,
      workload_type: 'image_generation',
      provider: 'sandbox',
      adapter: 'fixture',
      model: 'deterministic-image-v1',
    }),
    judge: (value) => (value?.operation_handle === undefined ? 'end' : 'next'),
  },
  {
    name: `${name}: finish`,
    tool: 'hubu_operation_status',
    args: (seen) => ({ operation_handle: handle(seen) }),
    judge: (value) =>
      value === undefined ? 'end' : value.terminal !== true ? 'again' : value.state === 'succeeded' ? 'next' : 'end',
  },
  {
    name: `${name}: list`,
    tool: 'gongbu_list_artifacts',
    args: (seen) => ({ execution_id: seen[`${name}: finish`]?.execution_id }),
  },
  {
    name: `${name}: fetch`,
    tool: 'gongbu_get_artifact',
    args: (seen) => {
      const artifacts = seen[`${name}: list`]?.artifacts as { artifact_id: string }[] | undefined
      return { artifact_id: artifacts?.[0]?.artifact_id }
    },
    // What of it a client shows to its model is the client's matter.
    judge: () => 'next',
  },
]

const authorize = (
  name: string,
  amountCents: number,
  decision: string,
  account: (seen: Seen) => unknown = accountIn,
): Step => ({
  name,
  tool: 'hubu_authorize_spend',
  args: (seen) => ({
    account_id: account(seen),
    amount_cents: amountCents,
    reason: `Pictures, ${name}`,
    execution_scope: pictureScope,
  }),
  judge: (value) => (value?.decision === decision ? 'next' : 'end'),
})

/** Both purchases are sent under `policyYaml`: a small one, and a large one that waits for a human; then a tool that nobody may run without asking a person. */
export const twoPictures: readonly Step[] = [
  { name: 'account', tool: 'hubu_list_agents', args: () => ({}) },
  authorize('small', smallCount, 'allow'),
  ...picture(
    'small',
    'a circle',
    smallCount,
    ({ small }) => small?.auth_token_id,
    ({ small }) => small?.operation_handle,
  ),
  authorize('large', largeCount, 'needs_approval'),
  {
    name: 'approval',
    tool: 'hubu_operation_status',
    args: ({ large }) => ({ operation_handle: large?.operation_handle }),
    judge: (value) => (value?.state === 'authorized' ? 'next' : value?.state === 'approval_required' ? 'again' : 'end'),
  },
  ...picture(
    'large',
    'a square',
    largeCount,
    ({ approval }) => authorizationIn(approval?.guidance),
    ({ large }) => large?.operation_handle,
  ),
  {
    name: 'protected',
    tool: 'hubu_register_human',
    args: () => ({ username: 'mallory', display_name: 'Mallory' }),
    judge: () => 'next',
  },
]

/** One small purchase, whatever comes of it. */
export const oneAuthorization = (accountId: string): readonly Step[] => [
  { ...authorize('small', smallCount, 'allow', () => accountId), judge: () => 'next' },
]
