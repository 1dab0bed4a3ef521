declare const __PRODUCT_VERSION__: string | undefined
declare const __SOURCE_COMMIT__: string | undefined

/**
 * What this build says it is, baked in by scripts/build.ts. No environment variable or flag of a running process changes
 * it, so that a process cannot talk itself into compatibility.
 */
export const buildStamp = {
  productVersion: typeof __PRODUCT_VERSION__ === 'string' ? __PRODUCT_VERSION__ : '0.0.0',
  sourceCommit: typeof __SOURCE_COMMIT__ === 'string' ? __SOURCE_COMMIT__ : 'unknown',
} as const
