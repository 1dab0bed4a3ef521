// Somebody takes the registry file from under the running routers, and starts them again when they notice.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { openDatabase } from '../../src/storage/database.ts'
import type { RouterProcess } from './router-process.ts'
import type { Watch } from './watch.ts'
import type { World } from './world.ts'

const sides = ['', '-wal', '-shm'] as const

/** Does to the file what the plan says. Its key secret stays where it is. */
export function swapFileOnce(world: World, statePath: string, watch: Watch, processes: readonly RouterProcess[]): void {
  const { swap } = world.plan
  if (swap === undefined) return
  let older: Buffer | undefined
  world.time.after(swap.backupAtMs, () => {
    older = contentOf(statePath)
  })
  world.time.after(swap.atMs, () => {
    world.tell('world', `the registry file is ${swap.how}`)
    watch.letGo()
    for (const side of sides)
      if (swap.how === 'moved' && existsSync(statePath + side))
        renameSync(statePath + side, `${statePath}.moved${side}`)
      else rmSync(statePath + side, { force: true })
    if (swap.how === 'replaced by an older copy' && older !== undefined)
      writeFileSync(statePath, older, { mode: 0o600 })
    world.swappedAtMs = world.time.nowMs
    world.time.after(swap.restartMs, () => {
      for (const process of processes) process.die('the restart by an operator')
    })
  })
}

/** The whole file as a copy that was made properly; undefined while there is none. */
function contentOf(statePath: string): Buffer | undefined {
  if (!existsSync(statePath)) return undefined
  const copy = `${statePath}.copy`
  const database = openDatabase(statePath)
  try {
    database.prepare('vacuum into ?').run(copy)
    return readFileSync(copy)
  } finally {
    database.close()
    rmSync(copy, { force: true })
  }
}
