// src/ and generated/ -> dist/: a small bin and bundles for serving and for the rooms that it needs only later, all CommonJS with V8's
// code cache for each; the commands as modules in chunks of their own; and the licences of what is in all that. HUBU_PRODUCT_VERSION and
// HUBU_SOURCE_COMMIT stamp the build.
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeCodeCaches } from './build/code-cache.ts'
import { buildPage } from './build/page.ts'
import { bundledPackages, thirdPartyTexts } from './build/third-party.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const packageVersion = (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string })
  .version

/** Builds into `outdir`; the stamps are texts, checked by whoever compares them. Gives what esbuild tells of each bundle. */
export async function buildInto(
  outdir: string,
  stamp: { productVersion: string; sourceCommit: string },
): Promise<Metafile[]> {
  rmSync(outdir, { recursive: true, force: true })
  const shared = {
    outdir,
    absWorkingDir: root,
    metafile: true,
    bundle: true,
    platform: 'node',
    target: 'node20',
    // Prefer a package's ES modules: the CommonJS form of some requires parts that a bundle cannot find.
    mainFields: ['module', 'main'],
    external: ['better-sqlite3'],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [...everywhere],
    define: {
      __PRODUCT_VERSION__: JSON.stringify(stamp.productVersion),
      __SOURCE_COMMIT__: JSON.stringify(stamp.sourceCommit),
    },
  } satisfies BuildOptions
  const built = await Promise.all([
    build({
      ...shared,
      entryPoints: { main: path.join(root, 'src/main.ts') },
      // Node's loader of ES modules costs a tenth of a cold start.
      format: 'cjs',
      plugins: [...everywhere, commandsApart],
      banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
      define: { ...shared.define, 'import.meta.url': 'bundleUrl' },
    }),
    build({
      ...shared,
      entryPoints: { program: path.join(root, 'src/cli/program.ts') },
      format: 'esm',
      outExtension: { '.js': '.mjs' },
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      // Bundled CommonJS parts ask for node's own modules through require.
      banner: {
        js: "import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);",
      },
    }),
    build({
      ...shared,
      entryPoints: {
        serve: path.join(root, 'src/cli/commands/serve.ts'),
        http: path.join(root, 'src/cli/commands/serve-http.ts'),
      },
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
      plugins: [...everywhere, lateRoomsApart],
      // Code that comes from a cache can only require.
      supported: { 'dynamic-import': false },
    }),
    build({
      ...shared,
      entryPoints: lateRooms,
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
      plugins: [...everywhere, lateRoomsApart],
      supported: { 'dynamic-import': false },
    }),
  ])
  const metafiles = [...built.map(({ metafile }) => metafile), await buildPage(root, path.join(outdir, 'studio'))]
  writeFileSync(path.join(outdir, 'THIRD-PARTY.txt'), thirdPartyTexts(root, bundledPackages(metafiles)))
  writeFileSync(path.join(outdir, 'package.json'), '{"type":"commonjs"}\n')
  chmodSync(path.join(outdir, 'main.js'), 0o755)
  // Without it everything works and starts more slowly.
  await writeCodeCaches(outdir).catch((error: Error) => {
    process.stderr.write(`no code caches were made: ${error.message.split('\n')[0]}\n`)
  })
  return metafiles
}

/** Rooms that are imported when they are first needed; each is a bundle beside the one that serves. */
const lateRooms: Record<string, string> = {
  gateway: path.join(root, 'src/gateway/open-gateway.ts'),
  'config-file': path.join(root, 'src/config/config-file.ts'),
  results: path.join(root, 'src/results/results.ts'),
  jwt: path.join(root, 'src/http/bearers/jwt.ts'),
  prometheus: path.join(root, 'src/http/metrics/prometheus.ts'),
  'schema-compiler': path.join(root, 'src/downstream/admission/schema-compiler.ts'),
}

/**
 * The HTTP library asserts what it expects of a backend. When that fails, node words the assertion by reading and parsing the
 * file that it stands in; that is a bundle of a megabyte, and nothing else runs meanwhile.
 */
const plainAssertions: Plugin = {
  name: 'plain-assertions',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?assert$/ }, () => ({ path: 'assert', namespace: 'plain-assertions' }))
    onLoad({ filter: /.*/, namespace: 'plain-assertions' }, () => ({
      contents: `module.exports = (held, message = 'an assertion does not hold') => {
        if (!held) throw message instanceof Error ? message : Object.assign(new Error(message), { code: 'ERR_ASSERTION' })
      }`,
    }))
  },
}

const commandsApart: Plugin = {
  name: 'commands-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/cli\/program\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './program.mjs', external: true } : undefined,
    )
  },
}

const lateRoomsApart: Plugin = {
  name: 'late-rooms-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path: specifier, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined
      const room = Object.keys(lateRooms).find((name) => lateRooms[name] === path.join(resolveDir, specifier))
      return room === undefined ? undefined : { path: `./${room}.cjs`, external: true }
    })
  },
}

/**
 * The SDK brings a JSON Schema compiler, for elicitation and for what mounted servers answer. Neither is asked for, so it is
 * left out.
 */
const withoutSchemaCompiler: Plugin = {
  name: 'without-schema-compiler',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /validation\/ajv-provider\.js$/ }, ({ importer }) =>
      /[\\/](server|client)[\\/]index\.js$/.test(importer)
        ? { path: 'ajv-provider', namespace: 'stand-in' }
        : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'stand-in' }, () => ({
      contents: "export class AjvJsonSchemaValidator { getValidator() { throw new Error('no schema compiler') } }",
    }))
  },
}

/** The HTTP library loads node's second version of HTTP when it is loaded; backends and servers are never asked for it. */
const withoutHttp2: Plugin = {
  name: 'without-http2',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:http2$/ }, ({ importer }) =>
      importer.includes('undici') ? { path: 'http2', namespace: 'without-http2' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'without-http2' }, () => ({ contents: 'module.exports = { constants: {} }' }))
  },
}

/** For every bundle. */
const everywhere: readonly Plugin[] = [withoutSchemaCompiler, plainAssertions, withoutHttp2]

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildInto(path.join(root, 'dist'), {
    productVersion: process.env.HUBU_PRODUCT_VERSION ?? packageVersion,
    sourceCommit: process.env.HUBU_SOURCE_COMMIT ?? 'unknown',
  })
}
