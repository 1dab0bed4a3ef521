import { fieldsOf, listOf, textOf, type Dialect } from './conversation.ts'

/** `generateContent`, which Gemini CLI speaks. It has no ids of calls that could be relied upon: results stand under the tool's name. */
export const generateContent: Dialect = {
  read(body) {
    const { tools, contents, generationConfig } = fieldsOf(body)
    const parts = listOf(contents).flatMap((content) => listOf(content.parts))
    return {
      tools: listOf(tools)
        .flatMap(({ functionDeclarations }) => listOf(functionDeclarations))
        .map(({ name }) => ({ name: textOf(name) })),
      results: parts.flatMap((part, at) => {
        if (part.functionResponse === undefined) return []
        const { name, response, parts: within } = fieldsOf(part.functionResponse)
        const { output, error } = fieldsOf(response)
        const beside = parts.slice(at + 1)
        const next = beside.findIndex(({ functionResponse }) => functionResponse !== undefined)
        const own = [...listOf(within), ...(next < 0 ? beside : beside.slice(0, next))]
        return [
          {
            callId: textOf(name),
            text: textOf(output) || textOf(error) || JSON.stringify(response ?? null),
            pictures: own.filter(({ inlineData }) => inlineData !== undefined).length,
          },
        ]
      }),
      wantsJson: fieldsOf(generationConfig).responseMimeType === 'application/json',
    }
  },

  answer(turn, { id, model, stream }) {
    const part = 'call' in turn ? { functionCall: { name: turn.call.name, args: turn.call.args } } : { text: turn.say }
    const answer = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: model,
      responseId: id,
    }
    return stream ? { events: [{ data: answer }] } : { json: answer }
  },
}
