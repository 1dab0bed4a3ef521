/** How a call came in: by the tool's own name, through call_tool, or detached; `_text`: its arguments came as a JSON text. */
export type Via = 'mount' | 'call_tool' | 'call_tool_text' | 'detach' | 'detach_text' | 'contract'
