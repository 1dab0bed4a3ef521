/** How a call came in: by the tool's own name, through call_tool, or detached. */
export type Via = 'mount' | 'call_tool' | 'detach' | 'contract'
