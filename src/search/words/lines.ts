// The dictionaries are written one entry a line.

/** Lines that say something. */
export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

/** Entries between spaces. */
export const wordsOf = (text: string): string[] => text.trim().split(/\s+/).filter(Boolean)
