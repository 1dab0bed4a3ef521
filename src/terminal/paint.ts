import pc from 'picocolors'
import type { Paint } from './appearance.ts'

/** Colours that survive the cleaning of what is printed. */
export interface Painting {
  paint: Paint
  /** Puts the terminal's own codes where `paint` has left its marks; to be called on a text that is cleaned. */
  finish(text: string): string
}

const styles = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const

/**
 * Colours texts, or leaves them. Printed texts are cleaned of everything that a terminal obeys, so that colours are marks with a
 * secret until then: a text of somebody else cannot hold one.
 */
export function createPainting(isColour: boolean, secret: string): Painting {
  const colours = pc.createColors(isColour)
  const marked = (name: (typeof styles)[number]) => (text: string) =>
    isColour && text !== '' ? `{${secret} ${name}}${text}{${secret} end ${name}}` : text
  const paint = Object.fromEntries(styles.map((name) => [name, marked(name)])) as unknown as Paint
  return {
    paint,
    finish(text) {
      if (!isColour || !text.includes(secret)) return text
      return styles.reduce((painted, name) => {
        const [open = '', close = ''] = colours[name]('\0').split('\0')
        return painted.replaceAll(`{${secret} ${name}}`, open).replaceAll(`{${secret} end ${name}}`, close)
      }, text)
    },
  }
}
