// The sandbox's own provider: deterministic pictures, as many as asked for.
import type { ProviderImage } from '../artifacts/store.ts'
import { isObject } from '../json/canonical.ts'
import type { JsonObject } from '../json/json-text.ts'
import { deterministicId } from '../executions/deterministic-id.ts'
import { checkImageInput } from './input-check.ts'
import { pauseFor, type After } from '../timing/timer.ts'
import { greyJpeg, solidPng, vectorColour } from './pictures.ts'
import { promptPicture } from './prompt-picture.ts'
import type { Provider } from './provider.ts'

/** What is drawn: fixed test vectors, or a picture for people that the prompt decides. */
export type Pictures = 'vectors' | 'from-prompt'

/** How to draw. */
export interface FixtureOptions {
  delayMs: number
  pictures: Pictures
  after: After
}

/**
 * Renders one picture for each image asked for: the 1×1 PNG vector, for a sized request the 64×64 one, or, `from-prompt`, a
 * picture for people; for `options.output_format` = `jpeg` the JPEG vector. Takes `delayMs` for it.
 */
export function createFixtureProvider({ delayMs, pictures, after }: FixtureOptions): Provider {
  return {
    preflight: ({ input, inputSchemaVersion }) => checkImageInput(input, inputSchemaVersion),
    async invoke(work, signal) {
      await pauseFor(delayMs, after, signal)
      return {
        kind: 'succeeded',
        images: Array.from({ length: work.imageCount }, (_, ordinal) => render(work.input, pictures, ordinal)),
        usage: { images: work.imageCount },
        requestId: deterministicId('request', 0, work.attemptId),
      }
    },
  }
}

function render(input: JsonObject, pictures: Pictures, ordinal: number): ProviderImage {
  const options = input.get('options')
  if (isObject(options) && options.get('output_format') === 'jpeg')
    return { mediaType: 'image/jpeg', bytes: greyJpeg() }
  if (pictures === 'from-prompt')
    return { mediaType: 'image/png', bytes: promptPicture(String(input.get('prompt')), ordinal) }
  const side = typeof input.get('image_size') === 'string' ? 64 : 1
  return { mediaType: 'image/png', bytes: solidPng(side, side, vectorColour) }
}
