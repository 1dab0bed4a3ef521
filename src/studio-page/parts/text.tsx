// Texts: those of others, money, times.
import type { ComponentChildren } from 'preact'
import type { Amount, Off, Quoted } from '../../studio/views/words.ts'
import type { ToldError } from '../api.ts'

/** A text that somebody else wrote, kept in its own run: nothing in it is markup, and nothing moves what is ours. */
export function Foreign({ text }: { text: Quoted | null }) {
  if (text === null) return <span class="quiet">–</span>
  return (
    <bdi dir="ltr">
      {text.parts.map((part, at) =>
        't' in part ? (
          part.t
        ) : (
          <span class="hidden-sign" key={at} role="img" aria-label={`hidden character U+${part.u}`}>
            U+{part.u}
          </span>
        ),
      )}
    </bdi>
  )
}

export const plainText = (text: Quoted): string =>
  text.parts.map((part) => ('t' in part ? part.t : `<U+${part.u}>`)).join('')

/** What the agent wrote, in a frame that it cannot leave. Copied, it is a JSON string. */
export function Quotation({ text, who = 'The agent wrote:' }: { text: Quoted; who?: string }) {
  const copy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', JSON.stringify(plainText(text)))
    event.preventDefault()
  }
  return (
    <>
      <p class="quiet said">{who}</p>
      <blockquote data-testid="quotation" tabIndex={0} aria-label={who} onCopy={copy}>
        <Foreign text={text} />
      </blockquote>
    </>
  )
}

export function Money({ amount }: { amount: Amount }) {
  return (
    <span class="money">
      {amount.text} {amount.currency}
    </span>
  )
}

export const clockTime = (at: string): string => new Date(at).toLocaleTimeString('en-GB')
export const dayAndTime = (at: string): string => `${new Date(at).toLocaleDateString('en-CA')} ${clockTime(at)}`

/** `4 min`, `2 h`: how long ago, or until then. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

export function Empty({ children }: { children: ComponentChildren }) {
  return (
    <div class="empty" data-testid="empty">
      {children}
    </div>
  )
}

/** Why a part has nothing to show, and the one thing to do. */
export function OffNote({ off }: { off: Off }) {
  return (
    <div class="empty" data-testid="off" data-code={off.code}>
      <p>{off.message}</p>
      {off.remedy !== null && <p class="quiet">{off.remedy}</p>}
    </div>
  )
}

export function ErrorNote({ error }: { error: ToldError }) {
  return (
    <div class="empty" data-testid="off" data-code={error.code}>
      <p>{error.message}</p>
    </div>
  )
}
