import { addressScheme } from '../names/resource-address.ts'

export const howtoUri = `${addressScheme}howto`

/** The guide as a client lists it. */
export const howtoResource = {
  uri: howtoUri,
  name: 'howto',
  title: 'How to use this gateway',
  mimeType: 'text/markdown',
}

/** The short guide behind `mcphub://howto`. */
export const howto = `# Using the tools behind this gateway

- **Names.** A mounted server's tool is \`server__tool\`. The tools of Hubu and Gongbu keep their own names.
- **Find, then call.** \`resolve_tool\` with your goal. If \`status\` is \`confident\` and \`ambiguous\` is false, fill
  \`argument_template\` and run \`call_tool\`. When the template is truncated, read \`describe_tool\` first.
- **Ambiguous?** Do not call. Compare \`alternatives\`, give \`search_tools\` more detail, or ask.
- **\`direct_call\`.** A tool marked so is called by its own name, because a human or a policy decides about it by that name.
- **Long work.** \`call_tool\` with \`detach: true\` gives a \`callId\`; \`poll_result\` gives the outcome, and cancels with
  \`cancel: true\`.
- **Large results.** A receipt with \`status: stored\` is followed by \`get_result\` from \`cursor\` 0 along \`nextCursor\` until
  \`done\`; \`encoding: utf8\` gives readable pages, \`find\` looks for a text.
- **Outcome unknown.** The call may have been carried out. Look at the server's state before you call again.
- **Pins.** Pinned tools are listed directly. \`list_servers\` says which, and when the \`catalog_revision\` changes, forget what
  you looked up before.
`
