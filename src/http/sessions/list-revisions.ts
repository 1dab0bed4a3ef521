import { createHash } from 'node:crypto'
import { changingLists, type News } from '../../wire/news.ts'
import type { Caller } from '../../wire/request.ts'
import type { Session } from './session-id.ts'

/** How a caller's lists are now, as session ids carry it; equal lists are equal texts in every process. */
export function revisionsOf(news: News | undefined, caller: Caller): Session['lists'] {
  const digests = news?.digests(caller) ?? {}
  const [tools, prompts, resources] = changingLists.map((list) => short(digests[list]))
  return [tools!, prompts!, resources!]
}

function short(digest: string | undefined): string {
  return digest === undefined ? '' : createHash('sha256').update(digest).digest('hex').slice(0, 16)
}
