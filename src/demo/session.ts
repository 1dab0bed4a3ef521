import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

/** A client on a real router process; ended by `close`. */
export interface DemoSession {
  /** The structured value of a successful call. Throws with the tool's own words otherwise. */
  call(name: string, args: Record<string, unknown>, harnessCallId?: string): Promise<Record<string, unknown>>
  /** The whole result of a call. */
  callRaw(name: string, args: Record<string, unknown>): Promise<CallToolResult>
  close(): Promise<void>
}

/** Starts `command args` as an MCP server over stdio and completes the handshake with the SDK's own client. */
export async function openSession(command: string, args: string[], env: Record<string, string>): Promise<DemoSession> {
  const client = new Client({ name: 'hubu-unified-mcp-demo', version: '1' })
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'inherit' }))
  const callRaw = async (name: string, args: Record<string, unknown>, harnessCallId?: string) =>
    (await client.callTool({
      name,
      arguments: args,
      // A harness puts its own id of the call here; the model never sees it.
      ...(harnessCallId !== undefined && { _meta: { callId: harnessCallId } }),
    })) as CallToolResult
  return {
    callRaw,
    async call(name, args, harnessCallId) {
      const result = await callRaw(name, args, harnessCallId)
      const first = result.content[0]
      const text = first?.type === 'text' ? first.text : ''
      if (result.isError) throw new Error(`${name} failed: ${text}`)
      return (result.structuredContent ?? JSON.parse(text)) as Record<string, unknown>
    },
    close: () => client.close(),
  }
}
