import { fieldsOf, listOf, readParts, textOf, type Dialect } from './conversation.ts'

/** The Messages API, which Claude Code speaks. */
export const messages: Dialect = {
  read(body) {
    const { tools, messages: said } = fieldsOf(body)
    const blocks = listOf(said).flatMap(({ content }) => listOf(content))
    return {
      tools: listOf(tools).map(({ name }) => ({ name: textOf(name) })),
      results: blocks
        .filter(({ type }) => type === 'tool_result')
        .map(({ tool_use_id: callId, content }) => ({
          callId: textOf(callId),
          ...readParts(content, (type) => type === 'image'),
        })),
      wantsJson: false,
    }
  },

  answer(turn, { id, model, stream }) {
    const block =
      'call' in turn
        ? { type: 'tool_use', id: turn.call.callId, name: turn.call.name, input: turn.call.args }
        : { type: 'text', text: turn.say }
    const stop = { stop_reason: 'call' in turn ? 'tool_use' : 'end_turn', stop_sequence: null }
    const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model }
    const usage = { input_tokens: 10, output_tokens: 5 }
    if (!stream) return { json: { ...message, content: [block], ...stop, usage } }
    const [begun, delta] =
      'call' in turn
        ? [
            { ...block, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(turn.call.args) },
          ]
        : [
            { type: 'text', text: '' },
            { type: 'text_delta', text: turn.say },
          ]
    const events = [
      {
        type: 'message_start',
        message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage },
      },
      { type: 'content_block_start', index: 0, content_block: begun },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: stop, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ]
    return { events: events.map((data) => ({ event: data.type, data })) }
  },
}
