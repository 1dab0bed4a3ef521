import { spawn } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSettings } from '../../../src/sandbox/gongbu/settings-text.ts'
import { runGongbuFromEnvironment } from '../../../src/sandbox/gongbu/standalone.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { eventually } from './support/eventually.ts'
import { createBody } from './support/harness.ts'
import { startHubuStub } from './support/hubu-stub.ts'

const stderr = () => {
  const lines: string[] = []
  return { lines, write: (text: string) => lines.push(text) }
}

test('a Gongbu alone keeps its token in a private file and uses the mock Hubu', async () => {
  using folder = tempFolder()
  const out = stderr()
  const env = { GONGBU_SANDBOX_FOLDER: folder.file('data') }
  const first = await runGongbuFromEnvironment(env, out)
  expect(out.lines).toEqual([`gongbu sandbox listening on ${first.url}\n`])
  const file = folder.file('data/caller-token')
  const token = readFileSync(file, 'utf8').trim()
  expect(token).toMatch(/^gongbu-sandbox-[0-9a-f-]{36}$/)
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  const created = await fetch(`${first.url}/v2/executions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(createBody('demo-op')),
  })
  expect(await created.json()).toMatchObject({ operation_key: 'demo-op' })
  await first.close()
  const second = await runGongbuFromEnvironment(env, stderr())
  expect(readFileSync(file, 'utf8').trim()).toBe(token)
  await second.close()
})

test('address, stamp, credentials and settings come from the environment', async () => {
  using folder = tempFolder()
  await using hubu = await startHubuStub()
  hubu.setProductVersion('1.2.3')
  writeFileSync(folder.file('hubu-token'), 'hubu-credential-1\n')
  const running = await runGongbuFromEnvironment(
    {
      GONGBU_SANDBOX_FOLDER: folder.path,
      GONGBU_SANDBOX_HOST: 'localhost',
      GONGBU_SANDBOX_TOKEN: 'caller',
      GONGBU_SANDBOX_PRODUCT_VERSION: '1.2.3',
      GONGBU_SANDBOX_SOURCE_COMMIT: 'a'.repeat(40),
      GONGBU_SANDBOX_HUBU_URL: hubu.url,
      GONGBU_SANDBOX_HUBU_TOKEN_FILE: folder.file('hubu-token'),
      GONGBU_SANDBOX_SETTINGS: '{"maximumSpendMinor":0}',
    },
    stderr(),
  )
  const version = await fetch(`${running.url}/version`)
  expect(await version.json()).toMatchObject({ product_version: '1.2.3', source_commit: 'a'.repeat(40) })
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
  const refused = await fetch(`${running.url}/v2/executions`, {
    method: 'POST',
    headers: { authorization: 'Bearer caller' },
    body: JSON.stringify(createBody('tok-a')),
  })
  expect(refused.status).toBe(400)
  await running.close()
})

test.each<[string, Record<string, string>]>([
  ['FOLDER', {}],
  ['PORT', { GONGBU_SANDBOX_PORT: 'x' }],
  ['PORT', { GONGBU_SANDBOX_PORT: '65536' }],
  ['TOKEN_FILE', { GONGBU_SANDBOX_TOKEN_FILE: '/does/not/exist/secret-name' }],
  ['callerToken', { GONGBU_SANDBOX_TOKEN: 'sec ret' }],
  ['host', { GONGBU_SANDBOX_HOST: '0.0.0.0' }],
  ['Hubu address', { GONGBU_SANDBOX_HUBU_URL: 'http://example.test', GONGBU_SANDBOX_HUBU_TOKEN: 'sec-ret' }],
  ['hubu.token', { GONGBU_SANDBOX_HUBU_URL: 'http://127.0.0.1:1' }],
  ['unknown setting colour', { GONGBU_SANDBOX_SETTINGS: '{"colour":1}' }],
])('a wrong %s is named and no secret is told', async (name, env) => {
  using folder = tempFolder()
  const all = name === 'FOLDER' ? env : { GONGBU_SANDBOX_FOLDER: folder.path, ...env }
  const failure = await runGongbuFromEnvironment(all, stderr()).then(
    () => undefined,
    (error: unknown) => error as Error,
  )
  expect(failure?.message).toContain(name)
  expect(failure?.message).not.toMatch(/sec.?ret/)
})

test('settings are checked one by one', () => {
  expect(readSettings('{"maximumSpendMinor":3,"recoveryDelaysMs":[1,2],"faults":{"claim":"none"}}')).toEqual({
    maximumSpendMinor: 3,
    recoveryDelaysMs: [1, 2],
    faults: { claim: 'none' },
  })
  for (const text of ['[]', 'x', 'null']) expect(() => readSettings(text)).toThrow(/JSON/)
  const wrong: Record<string, unknown> = {
    maximumSpendMinor: 1.5,
    targets: [{ model: 'm' }],
    prices: { version: 'v', rules: [{}] },
    faults: { claim: 'sometimes' },
    providersEnabled: 'yes',
    hooks: {},
    __proto__x: 1,
  }
  for (const [name, value] of Object.entries(wrong))
    expect(() => readSettings(JSON.stringify({ [name]: value })), name).toThrow(name)
})

test('a process that is killed in the middle of a settlement goes on when it is started again', async () => {
  using folder = tempFolder()
  await using hubu = await startHubuStub({ now: () => new Date() })
  const env = {
    ...process.env,
    GONGBU_SANDBOX_FOLDER: folder.path,
    GONGBU_SANDBOX_TOKEN: 'caller',
    GONGBU_SANDBOX_HUBU_URL: hubu.url,
    GONGBU_SANDBOX_HUBU_TOKEN: 'hubu-credential-1',
    GONGBU_SANDBOX_SETTINGS: '{"recoveryDelaysMs":[1]}',
  }
  const script = `import('./src/sandbox/gongbu/standalone.ts').then((it) => it.runGongbuFromEnvironment(process.env, process.stderr))`
  const start = async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', '-e', script], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [, url = ''] = await new Promise<string[]>((resolve, reject) => {
      let text = ''
      child.stderr.on('data', (chunk: Buffer) => {
        const found = /listening on (\S+)/.exec((text += chunk.toString()))
        if (found) resolve(found)
      })
      child.once('exit', () => reject(new Error(text)))
    })
    const kill = () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      })
    return { url, kill }
  }
  hubu.fail('settle', { hold: new Promise(() => undefined) })
  const first = await start()
  const headers = { authorization: 'Bearer caller' }
  const body = JSON.stringify(createBody('tok-a'))
  const created = await (await fetch(`${first.url}/v2/executions`, { method: 'POST', headers, body })).json()
  const { execution_id: id } = created as { execution_id: string }
  await eventually(
    () => hubu.of('settle').length > 0,
    () => fetch(`${first.url}/livez`),
  )
  await first.kill()
  const second = await start()
  const status = async () => {
    const answer = await fetch(`${second.url}/v1/executions/${id}`, { headers })
    return ((await answer.json()) as { status: string }).status
  }
  await eventually(
    async () => (await status()) === 'succeeded',
    () => fetch(`${second.url}/livez`),
  )
  await second.kill()
  expect(hubu.names()).toEqual(['resolve', 'validate', 'claim', 'inspect', 'settle', 'settle'])
  expect(hubu.of('settle')[0]?.body).toEqual(hubu.of('settle')[1]?.body)
})
