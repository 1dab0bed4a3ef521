import { fieldsOf, listOf, readParts, textOf, type Dialect } from './conversation.ts'

/** Chat completions, which opencode and Qwen Code speak. */
export const chat: Dialect = {
  read(body) {
    const { tools, messages, response_format: format } = fieldsOf(body)
    const told = listOf(messages)
    return {
      tools: listOf(tools).map((tool) => ({ name: textOf(fieldsOf(tool.function).name) })),
      results: told
        .filter(({ role }) => role === 'tool')
        .map(({ tool_call_id: callId, content }) => ({
          callId: textOf(callId),
          ...readParts(content, (type) => type === 'image_url'),
        })),
      wantsJson: fieldsOf(format).type === 'json_object' || fieldsOf(format).type === 'json_schema',
    }
  },

  answer(turn, { id, model, stream }) {
    const call =
      'call' in turn
        ? {
            id: turn.call.callId,
            type: 'function',
            function: { name: turn.call.name, arguments: JSON.stringify(turn.call.args) },
          }
        : undefined
    const content = 'call' in turn ? null : turn.say
    const end = call === undefined ? 'stop' : 'tool_calls'
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    const base = { id: `chatcmpl-${id}`, created: 1, model }
    if (!stream) {
      const message = { role: 'assistant', content, ...(call && { tool_calls: [call] }) }
      const choices = [{ index: 0, message, finish_reason: end }]
      return { json: { ...base, object: 'chat.completion', choices, usage } }
    }
    const chunk = (delta: object, reason: string | null, more: object = {}) => ({
      data: {
        ...base,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason: reason }],
        ...more,
      },
    })
    const delta = { role: 'assistant', content, ...(call && { tool_calls: [{ index: 0, ...call }] }) }
    return { events: [chunk(delta, null), chunk({}, end, { usage }), { data: '[DONE]' }] }
  },
}
