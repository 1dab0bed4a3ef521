// Where something stands in a file, for people: lines and columns count from one.
import { DocumentError } from './document-error.ts'

/** Line and column of an offset. A column counts characters as editors do, in UTF-16 units. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  let line = 1
  let lineStart = 0
  for (
    let newline = text.indexOf('\n');
    newline !== -1 && newline < offset;
    newline = text.indexOf('\n', newline + 1)
  ) {
    line++
    lineStart = newline + 1
  }
  return { line, column: offset - lineStart + 1 }
}

/** The line in which an offset lies. */
export function lineOf(text: string, offset: number): number {
  return placeOf(text, offset).line
}

/** `line 3, column 7` of an offset. */
export function showPlace(text: string, offset: number): string {
  const { line, column } = placeOf(text, offset)
  return `line ${line}, column ${column}`
}

/** The error for a file that its format does not allow. The caller puts the file's name in front. */
export function brokenAt(text: string, offset: number, what: string, cause?: unknown): DocumentError {
  return new DocumentError('file_broken', `${showPlace(text, offset)}: ${what}`, { cause })
}
