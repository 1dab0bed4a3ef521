// Clients whose files we know and do not write, each with the reason.

/** A client that is known and not set up. */
export interface UnwiredClient {
  name: string
  /** A sentence with what to do instead. */
  reason: string
}

/** Known clients that `init` does not write. */
export const unwired: readonly UnwiredClient[] = [
  {
    name: 'cline',
    reason:
      'Cline is not set up by init: add the server in its MCP settings (cline_mcp_settings.json), and leave protected tools out of autoApprove.',
  },
  {
    name: 'goose',
    reason:
      'Goose is not set up by init: its default mode runs every tool without asking. Add the server with `goose configure` and use its approve mode.',
  },
  {
    name: 'lm-studio',
    reason: 'LM Studio is not set up by init: nothing readable says whether it asks. Add the server in its mcp.json.',
  },
]
