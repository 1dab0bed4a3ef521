/** Every error of the page's server by its code: the status, and the words where the place that answers has none of its own. */
export const errorCodes = {
  bad_request: [400, 'The request is not one that this page makes.'],
  locked: [401, 'The page is locked. Unlock it with a link from the terminal.'],
  key_unusable: [401, 'This key does not work. Take a new link from the terminal.'],
  foreign_host: [403, 'This address is not the one that the page is served at.'],
  foreign_origin: [403, 'Another page asked.'],
  foreign_site: [403, 'Another site asked.'],
  framed: [403, 'The page is shown in a window of its own only.'],
  cannot_decide: [403, 'This page shows and cannot decide.'],
  not_found: [404, 'There is nothing under this address.'],
  method_not_allowed: [405, 'This address is not asked so.'],
  already_approved: [409, 'It had been approved meanwhile.'],
  already_denied: [409, 'It had been denied meanwhile.'],
  no_budget: [409, 'No budget covers it now. It still waits; change the budget, then approve.'],
  review_changed: [409, 'The review is another one than the one that was shown. Look at it again.'],
  ticket_unusable: [409, 'Look at it again: what was shown is too old, or was decided with before.'],
  damaged: [409, 'The stored bytes are not those that were kept.'],
  busy: [409, 'It runs already. Try again when it has ended.'],
  length_required: [411, 'The request does not say how long it is.'],
  too_large: [413, 'The request is too large.'],
  json_only: [415, 'Only JSON is taken.'],
  typed_wrong: [422, 'That is not the amount. Type it as it is shown.'],
  too_many: [429, 'Too many at once. Wait a little.'],
  head_too_large: [431, 'The head of the request is too large.'],
  internal: [500, 'A fault of this program. Nothing else is affected.'],
  hubu_unavailable: [502, 'Hubu cannot be reached. Nothing was decided.'],
  hubu_refused: [502, 'Hubu refused.'],
  outcome_unknown: [502, 'It may have been decided: the answer of Hubu was lost.'],
} as const satisfies Record<string, readonly [status: number, words: string]>

/** One of them. */
export type StudioErrorCode = keyof typeof errorCodes

/** What a route throws to be answered with: an error of the table, with further members where one tells a state. */
export class StudioError extends Error {
  override readonly name = 'StudioError'
  readonly code: StudioErrorCode
  readonly members: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: StudioErrorCode,
    {
      message = errorCodes[code][1],
      members = {},
      headers = {},
    }: { message?: string; members?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.code = code
    this.members = members
    this.headers = headers
  }
}
