import { expect, test } from 'vitest'
import { fingerprint } from '../../../src/sandbox/hubu/agents/registration.ts'
import { parseJson } from '../../../src/sandbox/hubu/json/parse.ts'
import { refusal, setup } from './setup.ts'
import { testHubu } from './start.ts'

const protocol = 'hubu-agent-registration-v1'

/** The digest of a payload that tests write as a plain object. */
function digest(payload: object): string {
  return fingerprint(parseJson(JSON.stringify(payload)))
}

/** A registration envelope; `change` edits the payloads before their digests are taken. */
function envelope(ownerId: string, change: (identity: Payload, version: Payload) => void = () => undefined) {
  const identity: Payload = {
    protocol_version: protocol,
    owner: { type: 'hubu_user', pub_id: ownerId },
    agent_name: 'enveloped',
    agent_kind: 'codex_agent',
  }
  const version: Payload = {
    protocol_version: protocol,
    version_label: 'v1',
    runtime: { provider: 'codex', environment: 'development' },
    hubu_client: { name: 'test', version: '1' },
  }
  change(identity, version)
  version.identity_fingerprint ??= digest(identity)
  return {
    protocol_version: protocol,
    identity: { payload: identity, fingerprint: digest(identity) },
    version: { payload: version, fingerprint: digest(version) },
  }
}
type Payload = Record<string, unknown>

test('the identity digest is the published one', () => {
  const owner = { pub_id: 'usr_000000000001', type: 'hubu_user' }
  const payload = { owner, agent_name: 'demo-agent', protocol_version: protocol, agent_kind: 'codex_agent' }
  expect(digest(payload)).toBe('sha256:b6f99158367dda7d5b30b1b4d81296ad7e833cfb32bc1110d2f6763544bf931e')
})

test('a fresh server has one current user, hubu-user, who survives a restart', async () => {
  await using hubu = await testHubu()
  const user = await hubu.get('/user')
  expect(user.body).toMatchObject({ username: 'hubu-user', display_name: 'Hubu User', email: null })
  await hubu.restart()
  expect((await hubu.get('/user')).text).toBe(user.text)
})

test('init selects the new human, and exactly one is current', async () => {
  await using hubu = await testHubu()
  const alice = await hubu.post('/init', { username: 'alice', display_name: 'Alice' })
  const bob = await hubu.post('/init', { username: 'bob-b', display_name: 'Bob' })
  const { users } = (await hubu.get('/users')).body
  expect(users.map((user: Payload) => user.username)).toEqual(['hubu-user', 'alice', 'bob-b'])
  expect(users.filter((user: Payload) => user.current).map((user: Payload) => user.user_id)).toEqual([bob.body.user_id])
  expect(users[1].user_id).toBe(alice.body.user_id)
  await hubu.restart()
  expect((await hubu.get('/user')).body.user_id).toBe(bob.body.user_id)
})

test('an e-mail is taken whatever its case and blanks, and a refused init changes nothing', async () => {
  await using hubu = await testHubu()
  const alice = await hubu.post('/init', { email: 'alice@example.com' })
  for (const email of ['Alice@Example.com', '  alice@example.com '])
    expect(refusal(await hubu.post('/init', { email }))).toEqual([
      400,
      'email `alice@example.com` is already registered',
    ])
  expect((await hubu.get('/user')).body.user_id).toBe(alice.body.user_id)
})

test.each(['ab', 'x'.repeat(33), 'Alice', 'a_b', '-ab', 'ab-', '', 'é-accent', 'hubu-user'])(
  'the username %j is refused',
  async (username) => {
    await using hubu = await testHubu()
    expect((await hubu.post('/init', { username })).status).toBe(400)
  },
)

test('a valid envelope registers an agent of the current user', async () => {
  await using hubu = await testHubu()
  const alice = await setup(hubu).user('alice')
  const answer = await hubu.post('/agents/register', {
    ...envelope(alice.user_id),
    review: { display_name: 'Shown', description: 'What it does' },
  })
  expect(answer.body).toMatchObject({ user_id: alice.user_id, agent_id: expect.stringMatching(/^agt_[0-9a-z]{12}$/) })
  expect(answer.body.agent_pub_id).toBe(answer.body.agent_id)
  expect((await hubu.get('/agents')).body.agents[0]).toMatchObject({
    display_name: 'Shown',
    description: 'What it does',
    agent_type: 'agent',
    account_id: answer.body.account_id,
    account_status: 'active',
  })
})

test.each<[string, (signed: ReturnType<typeof envelope>) => void, string]>([
  ['altered identity', (e) => (e.identity.payload.agent_name = 'x'), 'identity fingerprint mismatch'],
  ['altered version', (e) => (e.version.payload.version_label = 'x'), 'version fingerprint mismatch'],
  ['a digest in upper case', (e) => (e.identity.fingerprint = e.identity.fingerprint.toUpperCase()), 'identity fing'],
  ['a signature', (e) => Object.assign(e, { signature: {} }), 'signatures are not supported'],
  ['another protocol', (e) => (e.protocol_version = 'v2'), 'protocol version'],
])('an envelope with %s is refused', async (_what, alter, fragment) => {
  await using hubu = await testHubu()
  const alice = await setup(hubu).user('alice')
  const signed = envelope(alice.user_id)
  alter(signed)
  const [status, error] = refusal(await hubu.post('/agents/register', signed))
  expect(status).toBe(400)
  expect(error).toContain(fragment)
})

test.each<[string, (identity: Payload, version: Payload) => void, string]>([
  ['no runtime', (_, v) => delete v.runtime, 'version payload missing object field `runtime`'],
  ['no client', (_, v) => delete v.hubu_client, 'version payload missing object field `hubu_client`'],
  ['another identity', (_, v) => (v.identity_fingerprint = digest({})), 'identity_fingerprint'],
  ['another kind', (i) => (i.agent_kind = 'robot'), 'agent kind'],
  ['another environment', (_, v) => (v.runtime = { provider: 'p', environment: 'lab' }), 'environment'],
  [
    'another owner',
    (i) => (i.owner = { type: 'hubu_user', pub_id: 'usr_wrongowner' }),
    'identity payload owner.pub_id must match the current Hubu user',
  ],
])('an envelope with %s is refused', async (_what, change, fragment) => {
  await using hubu = await testHubu()
  const alice = await setup(hubu).user('alice')
  const [status, error] = refusal(await hubu.post('/agents/register', envelope(alice.user_id, change)))
  expect(status).toBe(400)
  expect(error).toContain(fragment)
})

test("alice's envelope is refused after bob was selected", async () => {
  await using hubu = await testHubu()
  const { user } = setup(hubu)
  const alice = await user('alice')
  await user('bob')
  expect(refusal(await hubu.post('/agents/register', envelope(alice.user_id)))).toEqual([
    400,
    'identity payload owner.pub_id must match the current Hubu user',
  ])
})

test('an agent registers once per owner, whatever the shape and version, also after a restart', async () => {
  await using hubu = await testHubu()
  const { user } = setup(hubu)
  const alice = await user('alice')
  const again = [400, 'agent is already registered for this owner']
  await hubu.post('/agents/register', envelope(alice.user_id))
  expect(refusal(await hubu.post('/agents/register', envelope(alice.user_id)))).toEqual(again)
  await hubu.post('/agents/register', { name: 'demo', version: 'v1', owner_user_id: 'usr_ignored00000' })
  await hubu.restart()
  for (const version of ['v1', 'v2'])
    expect(refusal(await hubu.post('/agents/register', { name: 'demo', version }))).toEqual(again)
  await user('bob')
  expect((await hubu.post('/agents/register', { name: 'demo', version: 'v1' })).status).toBe(200)
})

test("another human's agents are listed only with all", async () => {
  await using hubu = await testHubu()
  const { user, agent } = setup(hubu)
  await user('alice', { username: 'alice-example' })
  const made = await agent('demo')
  await user('bob')
  expect((await hubu.get('/agents')).body).toEqual({ agents: [] })
  const { agents } = (await hubu.get('/agents?all=true')).body
  expect(agents).toMatchObject([{ agent_id: made.agent_id, owner_username: 'alice-example' }])
})
