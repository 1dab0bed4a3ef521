// Pure: whether bytes are the picture that they are declared to be, within the limits.
import { readJpeg } from './jpeg.ts'
import type { PictureHeader } from './picture-header.ts'
import { readPng } from './png.ts'

/** What one execution may hand over. */
export interface ArtifactLimits {
  maximumArtifacts: number
  maximumArtifactBytes: number
  /** For `width × height × 4`. */
  maximumDecodedBytes: number
  maximumSidePixels: number
}

/** The size in pixels of an accepted picture, or a refusal. */
export type Intake = { kind: 'accepted'; width: number; height: number } | { kind: 'refused' }

const readers: Readonly<Record<string, (bytes: Buffer) => PictureHeader | undefined>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
}

/** Judges bytes. The type is compared literally: no parameters, no upper case. Dimensions are checked before the content is. */
export function takeIn(mediaType: string, bytes: Buffer, limits: ArtifactLimits): Intake {
  const read = Object.hasOwn(readers, mediaType) ? readers[mediaType] : undefined
  if (read === undefined || bytes.length === 0 || bytes.length > limits.maximumArtifactBytes) return { kind: 'refused' }
  const header = read(bytes)
  if (header === undefined) return { kind: 'refused' }
  const { width, height } = header
  const isSized = width >= 1 && height >= 1 && Math.max(width, height) <= limits.maximumSidePixels
  if (!isSized || width * height * 4 > limits.maximumDecodedBytes || !header.isSound()) return { kind: 'refused' }
  return { kind: 'accepted', width, height }
}
