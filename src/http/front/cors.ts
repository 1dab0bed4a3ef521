// What a page of a listed origin is told. Never everybody, and never with cookies.

/** For an answer that such a page may read. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'WWW-Authenticate, Mcp-Session-Id',
    Vary: 'Origin',
  }
}

/** For the question whether it may send a request. */
export function preflightHeaders(origin: string): Record<string, string> {
  return {
    ...corsHeaders(origin),
    'Access-Control-Allow-Methods': 'POST, GET, DELETE',
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
    'Access-Control-Max-Age': '600',
  }
}
