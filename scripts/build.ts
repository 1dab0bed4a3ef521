// src/ and generated/ -> dist/: one bundle for the bin, with the parts that serving does not need in chunks of their own.
// HUBU_PRODUCT_VERSION and HUBU_SOURCE_COMMIT stamp the build (DESIGN 4).
import { build } from 'esbuild'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const packageVersion = (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string })
  .version

/** Builds into `outdir`; the stamps are texts, checked by whoever compares them. */
export async function buildInto(
  outdir: string,
  stamp: { productVersion: string; sourceCommit: string },
): Promise<void> {
  rmSync(outdir, { recursive: true, force: true })
  await build({
    entryPoints: { main: path.join(root, 'src/main.ts') },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['better-sqlite3'],
    chunkNames: 'chunks/[name]-[hash]',
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: {
      __PRODUCT_VERSION__: JSON.stringify(stamp.productVersion),
      __SOURCE_COMMIT__: JSON.stringify(stamp.sourceCommit),
    },
    // Bundled CommonJS parts ask for node's own modules through require.
    banner: {
      js: "import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);",
    },
  })
  chmodSync(path.join(outdir, 'main.js'), 0o755)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildInto(path.join(root, 'dist'), {
    productVersion: process.env.HUBU_PRODUCT_VERSION ?? packageVersion,
    sourceCommit: process.env.HUBU_SOURCE_COMMIT ?? 'unknown',
  })
}
