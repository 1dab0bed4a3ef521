const prefix = 'hubu-result:///'

/** How a call id looks: 128 random bits in lower-case hex. */
const callIdForm = /^[0-9a-f]{32}$/

/** The address of a stored result as a resource. */
export function resultUri(callId: string): string {
  return `${prefix}${callId}`
}

/** The call id in a resource's address; undefined when it is the address of something else. */
export function callIdOf(uri: string): string | undefined {
  const callId = uri.startsWith(prefix) ? uri.slice(prefix.length) : ''
  return isCallId(callId) ? callId : undefined
}

/** Whether a text can be the id of a stored result. */
export function isCallId(text: string): boolean {
  return callIdForm.test(text)
}

/** The template of these addresses. */
export const resultUriTemplate = `${prefix}{callId}`
