// Opens the page in the person's browser. The link holds a key, so it stands in a private file and in no list of processes.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** What opens an address on each system. */
const openers: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a link; the result removes the file. A system without an opener changes nothing: the link is printed as well. */
export function openBrowser(
  link: string,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string>>,
): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'hubu-studio-'))
  const file = path.join(folder, `${path.basename(folder)}.html`)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const page =
    '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Studio</title>' +
    `<script>location.replace(${JSON.stringify(link)})</script>`
  writeFileSync(file, page, { mode: 0o600 })
  const [program, ...args] = openers[platform] ?? ['xdg-open']
  const child = spawn(program, [...args, pathToFileURL(file).href], { env, stdio: 'ignore', detached: true })
  child.once('error', remove)
  child.unref()
  return remove
}
