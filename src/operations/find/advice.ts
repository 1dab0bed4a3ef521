// Pure: what became of the money, in a sentence, and where to look when nobody here knows.
import type { MoneyAnswer } from '../money.ts'
import type { OperationView } from '../operation-view.ts'

const sentences: Record<MoneyAnswer, string> = {
  paid: 'The money moved, once.',
  held: 'The money is reserved and not spent.',
  waiting: 'A human decides; nothing is spent or reserved.',
  refused: 'Hubu said no; nothing was spent.',
  not_paid: 'Nothing was spent, and nothing will be.',
  unknown: 'Nobody here knows whether money moved.',
}

/** The answer as a sentence. */
export function answerSentence(answer: MoneyAnswer): string {
  return sentences[answer]
}

/** What a person can do now. Where nobody knows, the ways to find out, the surest first. */
export function adviceFor(answer: MoneyAnswer, view: OperationView): string {
  if (answer !== 'unknown' || view.heldUntil !== null) return view.nextStep
  const check = `hubu-unified-mcp operations show ${view.handle.slice(-32, -20)} --check`
  const first =
    view.state === 'awaiting_hubu_result'
      ? 'Let the harness deliver the same call again, if it still can: it is answered and not bought twice. Otherwise ask'
      : 'Ask'
  return (
    `${first} the backends, which changes nothing: ${check}. Only if they cannot tell must a person decide, by the ledger of ` +
    'Hubu and its claims that require reconciliation, before anybody buys this again.'
  )
}
