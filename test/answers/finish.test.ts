import { realClock } from '../../src/timing/clock.ts'
import { describe, expect, test } from 'vitest'
import type { ResultReceipt } from '#generated/types/router.js'
import type { ToolResult } from '../../src/answers/answer.ts'
import { createFinishCall } from '../../src/answers/finish.ts'
import type { RelayedResult } from '../../src/answers/relayed-result.ts'
import { relayObject, relayText } from '../../src/answers/relay.ts'
import { createWorld, textResult, vecgrep } from '../results/world.ts'

const reader = { revision: '2024-11-05', principal: 'local' }

/** A finishing step over a real store. */
function finishing(budgetBytes: number) {
  const world = createWorld({ budgetBytes })
  const finish = createFinishCall({ imageBudgetBytes: 0, budgetBytes, store: world.results.store, clock: realClock })
  return { ...world, finish: (result: ToolResult) => finish(vecgrep, relayObject(result), reader) }
}

describe('the finishing step', () => {
  test('a result of exactly the budget passes unchanged and nothing is stored', async () => {
    using world = finishing(512)
    const result = textResult('a'.repeat(473))
    expect(await world.finish(result)).toEqual({ json: JSON.stringify(result) })
    expect(world.count('stored_result')).toBe(0)
  })

  test('one byte more is stored and gives a receipt', async () => {
    using world = finishing(512)
    const answer = await world.finish(textResult('a'.repeat(474)))
    expect(answer).toMatchObject({ structuredContent: { status: 'stored', originalBytes: 513, budgetBytes: 512 } })
  })

  test('a budget of 0, which is also what verbatim means, passes megabytes', async () => {
    using world = finishing(0)
    const result = textResult('a'.repeat(5_000_000))
    expect(await world.finish(result)).toEqual({ json: JSON.stringify(result) })
    expect(world.count('stored_result')).toBe(0)
  })

  test('when the store fails the whole result goes out', async () => {
    const finish = createFinishCall({
      imageBudgetBytes: 0,
      budgetBytes: 512,
      store: () => Promise.resolve(undefined),
      clock: realClock,
    })
    const result = textResult('界'.repeat(100_000))
    expect(await finish(vecgrep, relayObject(result), reader)).toEqual({ json: JSON.stringify(result) })
  })

  test.each([
    [0, 3000, true],
    [9000, 3000, true],
    [8999, 3000, false],
    [512, 3000, false],
  ])('a text that is in memory whole is not put together again: budget %i, %i wide characters', async (...given) => {
    const [budgetBytes, length, isSent] = given
    const whole = '界'.repeat(length)
    const result = { ...relayObject(textResult('')), whole, pieces: () => expect.fail('it is there') }
    const finish = createFinishCall({
      imageBudgetBytes: 0,
      budgetBytes,
      store: () => Promise.resolve({ content: [] }),
      clock: realClock,
    })
    expect(await finish(vecgrep, result, reader)).toEqual(isSent ? { json: whole } : { content: [] })
  })

  test('bytes count, not characters, and what is wide comes back whole', async () => {
    for (let more = -3; more <= 3; more++) {
      using world = finishing(1024)
      const text = '😀'.repeat(240) + 'x'.repeat(1024 + more - 39 - 960)
      const result = textResult(text)
      expect(Buffer.byteLength(JSON.stringify(result))).toBe(1024 + more)
      const answer = await world.finish(result)
      if (more <= 0) {
        expect(answer).toEqual({ json: JSON.stringify(result) })
        continue
      }
      const { callId, preview } = (answer as { structuredContent: ResultReceipt }).structuredContent
      expect(preview?.isWellFormed()).toBe(true)
      expect((await world.readAll(callId, 'utf8')).bytes.toString()).toBe(JSON.stringify(result))
    }
  })

  test('the same data in text and structured content counts twice, as it is sent', async () => {
    using world = finishing(1024)
    const data = { rows: 'x'.repeat(480) }
    const twice = { content: textResult(JSON.stringify(data)).content, structuredContent: data }
    expect(await world.finish({ content: twice.content })).toHaveProperty('json')
    expect(await world.finish(twice)).toMatchObject({ structuredContent: { status: 'stored' } })
  })

  test('pictures have the image budget together, in order, and the ones that have room follow the receipt', async () => {
    const picture = (name: string, length: number) => ({
      type: 'image' as const,
      data: name.repeat(length),
      mimeType: 'image/png',
    })
    const [first, second, third] = [picture('a', 600), picture('b', 600), picture('c', 400)]
    const receipt = { content: [{ type: 'text' as const, text: 'receipt' }] }
    const finish = createFinishCall({
      imageBudgetBytes: 1000,
      budgetBytes: 512,
      store: () => Promise.resolve(receipt),
      clock: realClock,
    })
    const shown = async (...content: object[]) =>
      ((await finish(vecgrep, relayText(JSON.stringify({ content }), { content }), reader)) as { content?: object[] })
        .content
    expect(await shown(first, second, third)).toEqual([...receipt.content, first, third])
    expect(await shown(second, third)).toBeUndefined()
  })

  test('a long text lets others run while it is put together', async () => {
    let turns = 0
    let nowMs = 0
    const clock = {
      monotonicMs: () => nowMs,
      turn: async () => void turns++,
    }
    const pieces = function* () {
      for (let n = 0; n < 100; n++) {
        nowMs += 1
        yield 'x'
      }
    }
    const result: RelayedResult = { kind: 'relayed', pieces, isError: false, firstText: () => '', media: undefined }
    const finish = createFinishCall({
      imageBudgetBytes: 0,
      budgetBytes: 0,
      store: () => Promise.resolve(undefined),
      clock,
    })
    expect(await finish(vecgrep, result, reader)).toEqual({ json: 'x'.repeat(100) })
    expect(turns).toBe(11)
  })
})
