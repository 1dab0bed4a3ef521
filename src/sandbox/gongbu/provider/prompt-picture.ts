// Pure: a picture that a person can look at, decided by the prompt and the place among its siblings.
import { createHash } from 'node:crypto'
import { palettePng } from './pictures.ts'

const side = 256
const margin = 28
const cells = 5
const cell = (side - 2 * margin) / cells

/**
 * A PNG of 256 by 256 pixels, about 17 KB: the first three bytes of the prompt's SHA-256 are the colour, on a lighter ground; which
 * cells of a mirrored five by five pattern it fills comes from the prompt and the ordinal.
 */
export function promptPicture(prompt: string, ordinal: number): Buffer {
  const [red = 0, green = 0, blue = 0] = createHash('sha256').update(prompt).digest()
  const pattern = createHash('sha256').update(`${prompt}\n${ordinal}`).digest()
  const colour = [red, green, blue] as const
  const palette = [mixed(colour, 255, 0.85), colour, mixed(colour, 0, 0.35), mixed(colour, 255, 0.6)]
  return palettePng(side, side, palette, (x, y) => {
    const [column, row] = [Math.floor((x - margin) / cell), Math.floor((y - margin) / cell)]
    const isInside = column >= 0 && column < cells && row >= 0 && row < cells
    if (!isInside) return isFrame(x, y) ? 3 : 0
    const byte = pattern[row * 3 + Math.min(column, cells - 1 - column)] ?? 0
    return byte < 110 ? 0 : byte < 200 ? 1 : 2
  })
}

function isFrame(x: number, y: number): boolean {
  const distance = Math.min(x, y, side - 1 - x, side - 1 - y)
  return distance >= 8 && distance < 12
}

/** A colour that is partly another grey. */
function mixed(colour: readonly [number, number, number], grey: number, part: number) {
  return colour.map((value) => Math.round(value * (1 - part) + grey * part)) as [number, number, number]
}
