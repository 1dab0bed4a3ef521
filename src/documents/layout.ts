// How a text is laid out around a place, so that what we insert looks like what stands there. Pure.

/** The line end to use at an offset: CRLF when the line before ends so, else what most lines of the file have. */
export function lineEndAt(text: string, offset: number): '\n' | '\r\n' {
  const before = text.lastIndexOf('\n', offset - 1)
  if (before > 0 && offset > 0 && text[before - 1] === '\r') return '\r\n'
  let all = 0
  let crlf = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    all++
    if (text[at - 1] === '\r') crlf++
  }
  return crlf * 2 > all ? '\r\n' : '\n'
}

/** Offset of the first character of the line in which an offset lies. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

/** Offset just behind the last character of the line, its line end not included. */
export function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset)
  if (newline === -1) return text.length
  return newline > 0 && text[newline - 1] === '\r' ? newline - 1 : newline
}

/** Offset of the next line's first character; the text's length on the last line. */
export function nextLine(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset)
  return newline === -1 ? text.length : newline + 1
}

/** The white space with which the line of an offset begins. */
export function indentAt(text: string, offset: number): string {
  const start = lineStart(text, offset)
  let end = start
  while (text[end] === ' ' || text[end] === '\t') end++
  return text.slice(start, end)
}

/** True when nothing but white space stands between the line's begin and the offset. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === ''
}

/** The file's own step of indentation: what its first indented line has, else two spaces. */
export function indentUnit(text: string): string {
  const found = /(?:^|\n)(\t|  +)(?=[^\s])/.exec(text)?.[1] ?? '  '
  return found.length > 8 ? '  ' : found
}

/** True when the text between two offsets contains a line end. */
export function breaksBetween(text: string, start: number, end: number): boolean {
  const newline = text.indexOf('\n', start)
  return newline !== -1 && newline < end
}
