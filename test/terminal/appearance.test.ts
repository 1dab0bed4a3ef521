import { describe, expect, it, test } from 'vitest'
import { plainAppearance, wantsColour, wrap } from '../../src/terminal/appearance.ts'
import { createPainting } from '../../src/terminal/paint.ts'
import { createSignOfLife } from '../../src/terminal/sign-of-life.ts'

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false, false],
  [{ TERM: 'dumb' }, true, false],
])('with %j on a terminal (%s) colour is wanted: %s', (env, isTerminal, wanted) => {
  expect(wantsColour(env, isTerminal)).toBe(wanted)
})

describe('a painting', () => {
  it('puts colours in only where it left its own marks', () => {
    const { paint, finish } = createPainting(true, 'secret')
    expect(finish(`${paint.red('bad')} ${paint.bold('head')}`)).toBe('\u001b[31mbad\u001b[39m \u001b[1mhead\u001b[22m')
    expect(finish('{another red}x{another end red}')).toBe('{another red}x{another end red}')
  })

  it('leaves every text as it is where no colour is wanted', () => {
    const { paint, finish } = createPainting(false, 'secret')
    expect(finish(paint.red('bad'))).toBe('bad')
    expect(plainAppearance.paint.red('bad')).toBe('bad')
  })
})

test('a text is broken between words, and a word that is too long stays whole', () => {
  expect(wrap('one two three four', 24, 4)).toBe('one two three four')
  expect(wrap('one two three four five six seven', 24, 4)).toBe('one two three four\n    five six seven')
  expect(wrap(`x ${'y'.repeat(40)}`, 24, 4)).toBe(`x\n    ${'y'.repeat(40)}`)
})

describe('a sign of life', () => {
  function shown(isTerminal: boolean) {
    let text = ''
    let later: (() => void) | undefined
    let again: (() => void) | undefined
    const clock = {
      after: (_ms: number, work: () => void) => {
        later = work
        return () => (later = undefined)
      },
      every: (_ms: number, work: () => unknown) => {
        again = () => void work()
        return () => (again = undefined)
      },
    }
    const stream = { write: (part: string) => (text += part) }
    const progress = createSignOfLife(stream, { isTerminal, width: 20, clock })
    return { progress, read: () => text, pass: () => later?.(), tick: () => again?.() }
  }

  it('shows nothing of what takes less than a moment, nor where nobody watches', () => {
    const quick = shown(true)
    quick.progress.say('starting')
    quick.progress.end()
    quick.pass()
    expect(quick.read()).toBe('')
    const pipe = shown(false)
    pipe.progress.say('starting')
    pipe.pass()
    expect(pipe.read()).toBe('')
  })

  it('writes one line again and again, within the width, and takes it away', () => {
    const { progress, read, pass, tick } = shown(true)
    progress.say('starting')
    pass()
    progress.say('starting what clients start')
    tick()
    progress.end()
    expect(read()).toBe('\r\u001b[K⠋ starting\r\u001b[K⠙ starting what cli\r\u001b[K')
  })
})
