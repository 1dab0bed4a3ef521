import { readFileSync } from 'node:fs'

/** The text of a page for people, by its path in the repository. */
export const pageText = (page: string): string => readFileSync(page, 'utf8')

/** The text below a heading of the second level, up to the next one. Throws when the page has no such heading. */
export function sectionOf(page: string, heading: string): string {
  const [, rest] = pageText(page).split(`\n## ${heading}\n`)
  if (rest === undefined) throw new Error(`${page} has no section ${heading}`)
  return rest.split('\n## ')[0] ?? ''
}
