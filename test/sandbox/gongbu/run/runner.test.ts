import { expect, test } from 'vitest'
import { createRunner } from '../../../../src/sandbox/gongbu/run/runner.ts'
import type { RunParts } from '../../../../src/sandbox/gongbu/run/parts.ts'

test('an execution whose state cannot be read is delivered again a little later', async () => {
  const waits: number[] = []
  let reads = 0
  const ended = new Promise<void>((resolve) => {
    const parts = {
      executions: {
        byId() {
          reads += 1
          if (reads < 3) throw new Error('disk I/O error')
          resolve()
          return undefined
        },
      },
      after(delayMs: number, run: () => void) {
        waits.push(delayMs)
        queueMicrotask(run)
        return () => undefined
      },
    } as unknown as RunParts
    const options = { recoveryDelaysMs: [], redeliveryDelayMs: 1000, hooks: {}, abandon: () => undefined }
    createRunner(parts, options).schedule('execution-1')
  })
  await ended
  expect(waits).toEqual([1000, 2000])
})
