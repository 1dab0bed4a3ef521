// The views that deciding needs, as the server makes them.
import type { Review } from '../studio/views/shown.ts'
import type { Part } from '../studio/views/words.ts'

export type { Decided, Review, Ticket } from '../studio/views/shown.ts'
export type Approval = Part<{ review: Review }>
