// The main job, end to end: from an empty sandbox to a paid picture, every step held against what it promises.
import type { Clock } from '../timing/clock.ts'
import type { DemoSession } from './session.ts'
import type { StepReport, Transcript } from './transcript.ts'

/** The parts of the journey that a test replaces. */
export interface JourneyOptions {
  session: DemoSession
  transcript: Transcript
  clock: Pick<Clock, 'sleep'>
  /** A person approves what waits, outside of the agent's reach. */
  approve(approvalRequestId: string): Promise<void>
  /** Keeps a picture and returns where. */
  savePicture(bytes: Buffer, name: string): string
}

type Values = Record<string, unknown>

/** How many steps `runJourney` reports. */
export const journeySteps = 17

const policyYaml = `id: demo
version: "1"
default_effect: needs_approval
rules:
  - { id: small, effect: allow, when: { op: lte, field: amount, value: { money_cents: 1 } }, reason: Small spends are fine. }
`
/** For what the pictures of the sandbox are authorized. */
export const pictureScope = {
  schema_version: 1,
  provider: 'provider:local:fixture',
  executor: 'executor:gongbu:image',
  capability: 'capability:image:generate',
  billing_merchant: 'merchant:local',
}
const pictureCents = 1
/** Above what the policy allows by itself. */
const pairCents = 2
const mostStatusReads = 600

/** Plays the journey and reports each step. Throws at the first step that does not hold. */
export async function runJourney(options: JourneyOptions): Promise<void> {
  const { session, transcript, clock, approve } = options
  const step: Step = async (name, tool, work) => {
    transcript.begin(name)
    const report: StepReport = { step: name, tool, ...(await work()) }
    transcript.done(report)
    return report.values
  }
  const call = session.call

  await step('capabilities', 'hubu_unified_capabilities', async () => {
    const snapshot = await call('hubu_unified_capabilities', {})
    const tools = snapshot.tools as { available: boolean }[]
    const available = tools.filter((tool) => tool.available).length
    require(available === tools.length, `only ${available} of ${tools.length} tools are available`)
    return { line: `Hubu and Gongbu answer, ${available} tools are available`, values: { available } }
  })
  const human = await step('register a human', 'hubu_register_human', async () => {
    const values = await call('hubu_register_human', { username: 'ada', display_name: 'Ada' })
    return { line: `${text(values.user_id)} owns the money`, values }
  })
  const agent = await step('register an agent', 'hubu_register_agent', async () => {
    const values = await call('hubu_register_agent', { owner_user_id: human.user_id, name: 'painter', version: '1' })
    return { line: `${text(values.agent_id)} spends from ${text(values.account_id)}`, values }
  })
  await step('apply a policy', 'hubu_apply_policy', async () => {
    const values = await call('hubu_apply_policy', { policy_yaml: policyYaml, agent_id: agent.agent_id })
    return { line: 'up to 1 cent is allowed, more needs a human', values }
  })
  const budget = await step('create a budget', 'hubu_create_budget', async () => {
    const values = await call('hubu_create_budget', { amount_cents: 1000, agent_id: agent.agent_id })
    return { line: 'the agent may spend 10 USD', values }
  })

  const spend = {
    account_id: agent.account_id,
    amount_cents: pictureCents,
    reason: 'One picture of a circle',
    execution_scope: pictureScope,
  }
  const authorized = await step('authorize a spend', 'hubu_authorize_spend', async () => {
    const values = await call('hubu_authorize_spend', spend, 'demo-call-1')
    require(values.decision === 'allow', `Hubu decided ${text(values.decision)}`)
    return { line: `allowed: ${pictureCents} cent held, operation ${short(values.operation_handle)}`, values }
  })
  await step('deliver it once more', 'hubu_authorize_spend', async () => {
    const values = await call('hubu_authorize_spend', spend, 'demo-call-1')
    require(values.operation_handle === authorized.operation_handle, 'the redelivered call became another operation')
    const held = await frozenCents(session)
    require(held === pictureCents, `${held} cents are held instead of ${pictureCents}`)
    return {
      line: 'same operation, still one hold',
      values: { operation_handle: values.operation_handle, held_cents: held },
    }
  })

  await paint({ step, ...options }, authorized, 1)
  await step('read the ledger', 'hubu_list_ledger', async () => {
    const ledger = await call('hubu_list_ledger', {})
    const spent = await consumedCents(session)
    require(spent === pictureCents, `${spent} cents were spent instead of ${pictureCents}`)
    return { line: `${spent} cent spent, once`, values: { spent_cents: spent, ledger, budget_id: budget.budget_id } }
  })

  const pair = { ...spend, amount_cents: pairCents, reason: 'Two pictures of a circle' }
  // This client names no call, as most do not; the sandbox's router names it.
  const waiting = await step('ask for more than that', 'hubu_authorize_spend', async () => {
    const values = await call('hubu_authorize_spend', pair)
    require(values.decision === 'needs_approval', `Hubu decided ${text(values.decision)}`)
    return { line: `${pairCents} cents wait for a human, operation ${short(values.operation_handle)}`, values }
  })
  await step('a person approves it', 'approvals approve', async () => {
    const { approval_request_id: id } = waiting.approval as { approval_request_id: string }
    await approve(id)
    return { line: 'in another process, with a capability that no agent has', values: { approval_request_id: id } }
  })
  const approved = await step('read its status', 'hubu_operation_status', async () => {
    const read = () => call('hubu_operation_status', { operation_handle: waiting.operation_handle })
    const values = await until(read, ({ state }) => state === 'authorized' || state === 'failed', clock)
    const [, id] = /auth_token_id (\S+) once/.exec(text(values.guidance)) ?? []
    require(id !== undefined, `it is ${text(values.state)} and names no authorization`)
    return { line: 'authorized by itself: no call was delivered again', values: { ...values, auth_token_id: id } }
  })
  await paint({ step, ...options }, approved, 2)
}

type Step = (name: string, tool: string, work: () => Promise<{ line: string; values: Values }>) => Promise<Values>

/** From an authorization to a saved picture. */
async function paint(
  { step, session, clock, savePicture }: JourneyOptions & { step: Step },
  { operation_handle: handle, auth_token_id: token }: Values,
  count: number,
): Promise<void> {
  const { call } = session
  await step('create the execution', 'gongbu_create_execution', async () => {
    const values = await call('gongbu_create_execution', {
      schema_version: 2,
      spend_auth_token_id: token,
      input: { prompt: 'a circle', image_count: count },
      input_schema_version: 1,
      workload_type: 'image_generation',
      provider: 'sandbox',
      adapter: 'fixture',
      model: 'deterministic-image-v1',
    })
    return { line: `acknowledged as ${text(values.state)}; the worker does the rest`, values }
  })
  const finished = await step('follow its status', 'hubu_operation_status', async () => {
    const seen: string[] = []
    const read = async () => {
      const values = await call('hubu_operation_status', { operation_handle: handle })
      if (seen.at(-1) !== values.state) seen.push(text(values.state))
      return values
    }
    const values = await until(read, ({ terminal }) => terminal === true, clock)
    require(values.state === 'succeeded', `it ended as ${JSON.stringify(values.result)}`)
    return { line: seen.join(' -> '), values }
  })
  await step('fetch the picture', 'gongbu_get_artifact', async () => {
    const list = await call('gongbu_list_artifacts', { execution_id: finished.execution_id })
    const [artifact] = list.artifacts as { artifact_id: string }[]
    require(artifact !== undefined, 'the execution has no artifact')
    const result = await session.callRaw('gongbu_get_artifact', { artifact_id: artifact?.artifact_id })
    const image = result.content.find((block) => block.type === 'image')
    require(image !== undefined && image.mimeType === 'image/png', 'there is no PNG in the answer')
    const bytes = Buffer.from(image?.type === 'image' ? image.data : '', 'base64')
    const path = savePicture(bytes, count === 1 ? 'picture.png' : 'one-of-two.png')
    return { line: `${bytes.length} bytes of PNG in ${path}`, values: { path, bytes: bytes.length } }
  })
}

/** Reads until something holds; throws when it never does. */
async function until(
  read: () => Promise<Values>,
  holds: (values: Values) => boolean,
  clock: Pick<Clock, 'sleep'>,
): Promise<Values> {
  for (let reads = 0; reads < mostStatusReads; reads++) {
    const values = await read()
    if (holds(values)) return values
    await clock.sleep(50)
  }
  throw new Error('it did not end')
}

async function frozenCents(session: DemoSession): Promise<number> {
  return sumOfBudgets(session, 'frozen_amount_cents')
}

async function consumedCents(session: DemoSession): Promise<number> {
  return sumOfBudgets(session, 'consumed_amount_cents')
}

async function sumOfBudgets(session: DemoSession, member: string): Promise<number> {
  const { budgets } = await session.call('hubu_list_budgets', {})
  return (budgets as Record<string, number>[]).reduce((sum, budget) => sum + (budget[member] ?? 0), 0)
}

function require(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}

const text = (value: unknown): string => String(value)

const short = (handle: unknown): string => text(handle).slice(-8)
