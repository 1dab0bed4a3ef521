import { build, type Metafile } from 'esbuild'
import { copyFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** What a browser may have to load, in bytes. */
const limits = { 'app.js': 65_000, 'charts.js': 55_000, 'app.css': 20_000 }

/** The page of `studio`: two scripts and a style sheet, for browsers. Throws when one of them has outgrown its bound. */
export async function buildPage(root: string, outdir: string): Promise<Metafile> {
  const source = path.join(root, 'src/studio-page')
  const { metafile } = await build({
    entryPoints: {
      app: path.join(source, 'main.tsx'),
      charts: path.join(source, 'charts.ts'),
    },
    outdir,
    absWorkingDir: root,
    metafile: true,
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: '{}',
    legalComments: 'none',
    logLevel: 'warning',
  })
  for (const name of ['index.html', 'icon.svg']) copyFileSync(path.join(source, name), path.join(outdir, name))
  for (const [name, limit] of Object.entries(limits)) {
    const { size } = statSync(path.join(outdir, name))
    if (size > limit) throw new Error(`${name} of the page has ${size} bytes, and may have ${limit}`)
  }
  return metafile
}
