import { JsonText } from '../answers/json-text.ts'

/**
 * Answers `tools/list` with the text of a list. While the definitions are the same ones it is the same text, so that many
 * who ask at once, or read late, hold one of it.
 */
export function createToolListText(): (tools: readonly object[]) => JsonText {
  let last = { tools: [] as readonly object[], text: new JsonText('{"tools":[]}') }
  return (tools) => {
    const isSame = last.tools.length === tools.length && tools.every((tool, at) => tool === last.tools[at])
    if (!isSame) last = { tools, text: new JsonText(JSON.stringify({ tools })) }
    return last.text
  }
}
