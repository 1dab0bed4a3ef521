/** The scripted model as opencode and its relatives are told of it, with itself as every model that they use. */
export const scriptedProvider = (url: string) => ({
  autoupdate: false,
  share: 'disabled',
  model: 'scripted/scripted',
  small_model: 'scripted/scripted',
  provider: {
    scripted: {
      npm: '@ai-sdk/openai-compatible',
      name: 'scripted',
      options: { baseURL: `${url}/v1`, apiKey: 'none' },
      models: {
        scripted: {
          name: 'scripted',
          tool_call: true,
          attachment: true,
          modalities: { input: ['text', 'image'], output: ['text'] },
        },
      },
    },
  },
})
