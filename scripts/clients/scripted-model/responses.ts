import { fieldsOf, listOf, readParts, textOf, type Dialect } from './conversation.ts'

/** The Responses API, which Codex speaks. */
export const responses: Dialect = {
  read(body) {
    const { tools, input, text } = fieldsOf(body)
    const offered = listOf(tools).flatMap((tool) =>
      tool.type === 'namespace'
        ? listOf(tool.tools).map(({ name }) => ({ name: textOf(name), namespace: textOf(tool.name) }))
        : [{ name: textOf(tool.name) }],
    )
    const outputs = listOf(input).filter(({ type }) => type === 'function_call_output')
    return {
      tools: offered.filter(({ name }) => name !== ''),
      results: outputs.map(({ call_id: callId, output }) => ({
        callId: textOf(callId),
        ...readParts(output, (type) => type === 'input_image'),
      })),
      wantsJson: fieldsOf(fieldsOf(text).format).type === 'json_schema',
    }
  },

  answer(turn, { id, model }) {
    const item =
      'call' in turn
        ? {
            type: 'function_call',
            id: `fc_${id}`,
            call_id: turn.call.callId,
            name: turn.call.name,
            ...(turn.call.namespace !== undefined && { namespace: turn.call.namespace }),
            arguments: JSON.stringify(turn.call.args),
            status: 'completed',
          }
        : {
            type: 'message',
            id: `msg_${id}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: turn.say, annotations: [] }],
          }
    const response = { id: `resp_${id}`, object: 'response', model }
    const usage = {
      ...{ input_tokens: 10, input_tokens_details: { cached_tokens: 0 } },
      ...{ output_tokens: 5, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 15 },
    }
    const events = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
    ]
    return { events: events.map((data) => ({ event: data.type, data })) }
  },
}
