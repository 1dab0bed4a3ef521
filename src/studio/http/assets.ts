// The page itself: read once, under addresses that no former user of the port can have left in a cache.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of the page. */
export interface PageFile {
  type: string
  body: Buffer
}

/** The page's files by their paths, `/` among them. */
export type PageFiles = ReadonlyMap<string, PageFile>

const types: Readonly<Record<string, string>> = {
  'app.js': 'text/javascript; charset=utf-8',
  'charts.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
}

/** Where a build has put the page: beside the program, its chunks, or below the sources. Undefined before the first build. */
export function findPage(): string | undefined {
  const places = ['./studio/', '../studio/', '../../../dist/studio/'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
  return places.find((place) => existsSync(path.join(place, 'index.html')))
}

/** Reads the page. `run`: 16 hex digits of this process. Throws the file system's error. */
export function readPage(folder: string, run: string): PageFiles {
  const files = new Map<string, PageFile>()
  let html = readFileSync(path.join(folder, 'index.html'), 'utf8')
  for (const [name, type] of Object.entries(types)) {
    const body = readFileSync(path.join(folder, name))
    const address = `/assets/${run}/${name}`
    const integrity = `sha384-${createHash('sha384').update(body).digest('base64')}`
    html = html.replaceAll(`{{${name}}}`, address).replaceAll(`{{integrity ${name}}}`, integrity)
    files.set(address, { type, body })
  }
  files.set('/', { type: 'text/html; charset=utf-8', body: Buffer.from(html) })
  return files
}
