// The built bin with a configuration, and a mounted fixture server for it.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { StubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { startRouter, type Message, type RouterProcess } from './router-process.ts'

/** The names of the eight meta-tools. */
export const metaTools = [
  ...['list_servers', 'search_tools', 'describe_tool', 'resolve_tool', 'call_tool', 'get_result', 'poll_result'],
  'stats',
]

const fixture = path.resolve('test/downstream/fixtures/server.mjs')

/** The configuration entry of a fixture server that does what the script says. */
export const mounted = (script: object = {}) => ({
  command: process.execPath,
  args: [fixture],
  env: { DOWNSTREAM_TEST: JSON.stringify(script) },
  enabled: true,
})

/** A router that has been greeted. */
export interface LazyRouter extends RouterProcess {
  /** The structured part of a tool's answer. */
  data(name: string, args?: object): Promise<Record<string, unknown>>
}

/** Whom the router serves, where its files are, and what its client can do. */
export interface LazyOptions {
  agent?: string
  given?: ReturnType<typeof tempFolder>
  capabilities?: object
}

/** Starts the bin with a configuration, lazy unless it says otherwise; JSON is YAML as well. */
export async function lazyRouter(
  bin: string,
  { env }: Pick<StubRouter, 'env'>,
  config: object,
  { agent, given, capabilities = {} }: LazyOptions = {},
): Promise<LazyRouter> {
  const folder = given ?? tempFolder()
  writeFileSync(folder.file('config.yaml'), JSON.stringify({ expose: 'lazy', ...config }))
  const args = ['--config', folder.file('config.yaml'), ...(agent === undefined ? [] : ['--agent', agent])]
  const router = startRouter(bin, { ...env, HUBU_UNIFIED_RESULTS_PATH: folder.file('results') }, args)
  if (given === undefined) void router.exit.then(() => folder[Symbol.dispose]())
  const clientInfo = { name: 't', version: '1' }
  await router.request('initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo })
  router.sendLine('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  const data = async (name: string, args: object = {}) =>
    (await router.callTool(name, args)).result?.structuredContent as Record<string, unknown>
  return Object.assign(router, { data })
}

/** The names that tools/list shows. */
export const namesOf = async (router: RouterProcess): Promise<string[]> =>
  (await router.request('tools/list')).result?.tools?.map(({ name }) => name) ?? []

/** The first text of an answer. */
export const textOf = ({ result }: Message): string => result?.content?.[0]?.text ?? ''
