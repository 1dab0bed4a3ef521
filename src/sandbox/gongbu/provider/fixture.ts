// The sandbox's own provider: deterministic pictures, as many as asked for (G 5.4, 5.6).
import { isObject } from '../admission/canonical.ts'
import type { JsonObject } from '../admission/json-text.ts'
import type { After } from '../settings.ts'
import { deterministicId } from './deterministic-id.ts'
import { checkImageInput } from './input-check.ts'
import { greyJpeg, solidPng, vectorColour } from './pictures.ts'
import type { Provider, ProviderImage } from './provider.ts'

/**
 * Renders one picture for each image asked for: the 1×1 PNG vector, for a sized request the 64×64 one, and for
 * `options.output_format` = `jpeg` the JPEG vector. Takes `delayMs` for it.
 */
export function createFixtureProvider(options: { delayMs: number; after: After }): Provider {
  return {
    preflight: ({ input, inputSchemaVersion }) => checkImageInput(input, inputSchemaVersion),
    async invoke(work, signal) {
      await pause(options, signal)
      return {
        kind: 'succeeded',
        images: Array.from({ length: work.imageCount }, () => render(work.input)),
        usage: { images: work.imageCount },
        requestId: deterministicId('request', 0, work.attemptId),
      }
    },
  }
}

function render(input: JsonObject): ProviderImage {
  const options = input.get('options')
  if (isObject(options) && options.get('output_format') === 'jpeg')
    return { mediaType: 'image/jpeg', bytes: greyJpeg() }
  const side = typeof input.get('image_size') === 'string' ? 64 : 1
  return { mediaType: 'image/png', bytes: solidPng(side, side, vectorColour) }
}

function pause({ delayMs, after }: { delayMs: number; after: After }, signal: AbortSignal): Promise<void> {
  if (delayMs === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const cancel = after(delayMs, resolve)
    signal.addEventListener('abort', () => {
      cancel()
      resolve()
    })
  })
}
