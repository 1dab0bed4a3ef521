// Takes the pictures of docs/studio.md: a sandbox of its own, an agent that spends, and the page in a browser.
// Needs a build. `npx tsx scripts/studio-pictures.ts`
import chromium from '@sparticuz/chromium'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium as playwright } from 'playwright-core'
import { once } from 'node:events'

const root = fileURLToPath(new URL('..', import.meta.url))
const pictures = path.join(root, 'docs/pictures')
const program = path.join(root, 'dist/main.js')
const scope = {
  schema_version: 1,
  provider: 'provider:local:fixture',
  executor: 'executor:gongbu:image',
  capability: 'capability:image:generate',
  billing_merchant: 'merchant:local',
}

const folder = mkdtempSync(path.join(tmpdir(), 'hubu-pictures-'))
const children: ChildProcess[] = []

function start(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [program, ...args, '--data-folder', folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  return child
}

/** Speaks MCP to a router, one question after the other. */
function client(router: ChildProcess) {
  let text = ''
  let count = 0
  const waiting = new Map<number, (message: { result: { content: { text: string }[] } }) => void>()
  router.stdout!.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const message = JSON.parse(line) as { id: number; result: { content: { text: string }[] } }
      waiting.get(message.id)?.(message)
    }
  })
  return (method: string, params: object) =>
    new Promise<{ result: { content: { text: string }[] } }>((resolve) => {
      waiting.set(++count, resolve)
      router.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id: count, method, params })}\n`)
    })
}

async function linkOf(studio: ChildProcess): Promise<string> {
  for (let text = ''; ;) {
    const [chunk] = (await once(studio.stdout!, 'data')) as [Buffer]
    text += chunk.toString()
    const found = /http:\S+#k=\S+/.exec(text)?.[0]
    if (found !== undefined) return found
  }
}

try {
  mkdirSync(pictures, { recursive: true })
  const ask = client(start('sandbox'))
  const clientInfo = { name: 'pictures', version: '1' }
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  const call = async (name: string, args: object, id?: string): Promise<Record<string, unknown>> => {
    const params = { name, arguments: args, ...(id && { _meta: { 'claudecode/toolUseId': id } }) }
    return JSON.parse((await ask('tools/call', params)).result.content[0]!.text) as Record<string, unknown>
  }
  const { agents } = (await call('hubu_list_agents', {})) as { agents: { account_id: string }[] }
  const account_id = agents[0]!.account_id
  const spends: [cents: number, reason: string][] = [
    [40, 'A thumbnail for the newsletter'],
    [80, 'A banner for the shop'],
    [250, 'Poster for the spring campaign'],
    [800, 'Four pictures for the catalogue, as agreed on Monday'],
  ]
  let last: Record<string, unknown> = {}
  for (const [amount_cents, reason] of spends)
    last = await call(
      'hubu_authorize_spend',
      { account_id, amount_cents, reason, execution_scope: scope },
      `toolu_${amount_cents}`,
    )
  for (const amount_cents of [90, 60])
    await call(
      'hubu_submit_spend',
      { account_id, amount_cents, reason: 'Coffee for the team', merchant: 'Acme Cafe' },
      `toolu_pay_${amount_cents}`,
    )
  const link = await linkOf(start('studio', '--no-open'))
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    // Those that the package proposes would switch web security off.
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu'],
  })
  const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 800 } })
  await page.goto(link)
  const take = async (name: string, hash: string, selector: string) => {
    await page.goto(new URL(hash, link).href)
    await page.locator(selector).first().waitFor()
    for (const theme of ['light', 'dark']) {
      if ((await page.getAttribute('html', 'data-theme')) !== theme) await page.click('[data-testid="theme"]')
      await page.waitForTimeout(400)
      await page.screenshot({ path: path.join(pictures, `studio-${name}-${theme}.png`) })
    }
  }
  const approval = last.approval as { approval_request_id: string }
  await take('inbox', `/#/inbox/${approval.approval_request_id}`, '[data-testid="quotation"]')
  await take('operation', `/#/operations/${String(last.operation_handle).slice(-32)}`, '[data-testid="timeline-event"]')
  await take('money', '/#/money', '[data-testid="budget-bar"]')
  await browser.close()
} finally {
  for (const child of children.reverse()) child.kill('SIGTERM')
  await Promise.all(children.flatMap((child) => (child.exitCode === null ? [once(child, 'exit')] : [])))
  rmSync(folder, { recursive: true, force: true })
}
