// src/ and generated/ -> dist/: a small bin, one CommonJS bundle for serving with V8's code cache, and the commands in
// chunks of their own. HUBU_PRODUCT_VERSION and HUBU_SOURCE_COMMIT stamp the build (DESIGN 4, 7).
import { build, type BuildOptions, type Plugin } from 'esbuild'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeCodeCache } from './build/code-cache.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const packageVersion = (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string })
  .version

/** Builds into `outdir`; the stamps are texts, checked by whoever compares them. */
export async function buildInto(
  outdir: string,
  stamp: { productVersion: string; sourceCommit: string },
): Promise<void> {
  rmSync(outdir, { recursive: true, force: true })
  const shared: BuildOptions = {
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    external: ['better-sqlite3'],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [withoutSchemaCompiler],
    define: {
      __PRODUCT_VERSION__: JSON.stringify(stamp.productVersion),
      __SOURCE_COMMIT__: JSON.stringify(stamp.sourceCommit),
    },
  }
  await Promise.all([
    build({
      ...shared,
      entryPoints: { main: path.join(root, 'src/main.ts') },
      format: 'esm',
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      // Bundled CommonJS parts ask for node's own modules through require.
      banner: {
        js: "import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);",
      },
    }),
    build({
      ...shared,
      entryPoints: { serve: path.join(root, 'src/cli/commands/serve.ts') },
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
    }),
  ])
  chmodSync(path.join(outdir, 'main.js'), 0o755)
  await writeCodeCache(path.join(outdir, 'serve.cjs'))
}

/** The SDK's server brings a JSON Schema compiler for elicitation. Ours gets its own stand-in, so it is left out. */
const withoutSchemaCompiler: Plugin = {
  name: 'without-schema-compiler',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /validation\/ajv-provider\.js$/ }, ({ importer }) =>
      importer.endsWith(path.join('server', 'index.js')) ? { path: 'ajv-provider', namespace: 'stand-in' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'stand-in' }, () => ({
      contents: "export class AjvJsonSchemaValidator { getValidator() { throw new Error('no schema compiler') } }",
    }))
  },
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildInto(path.join(root, 'dist'), {
    productVersion: process.env.HUBU_PRODUCT_VERSION ?? packageVersion,
    sourceCommit: process.env.HUBU_SOURCE_COMMIT ?? 'unknown',
  })
}
