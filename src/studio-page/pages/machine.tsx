// Usage, servers and health.
import { useState } from 'preact/hooks'
import type { Finding } from '../../doctor/finding.ts'
import type { Instant, Quoted } from '../../studio/views/words.ts'
import { address, go } from '../address.ts'
import { postJson, save } from '../api.ts'
import { Chart } from '../parts/chart.tsx'
import { bytesText, dayAndTime, Empty, ErrorNote, Foreign, OffNote } from '../parts/text.tsx'
import { useView } from '../view.ts'

interface UsageView {
  totals: { calls: number; errors: number; received_bytes: number; sent_bytes: number }
  tools: { server: Quoted; tool: Quoted; calls: number; errors: number; p50: number; p95: number; p99: number }[]
  saved: number
  series: { at: Instant; calls: number; errors: number; p95: number }[]
}
const windows = ['1h', '24h', '7d', '90d']

export function UsagePage() {
  const since = new URLSearchParams(address.value.query).get('since') ?? '24h'
  const { view, error } = useView<UsageView>(`/api/usage?since=${since}`, ['usage'])
  return (
    <>
      <div class="tabs">
        {windows.map((word) => (
          <button key={word} aria-pressed={word === since} onClick={() => go(`#/usage?since=${word}`)}>
            {word}
          </button>
        ))}
        <button onClick={() => void save(`/api/usage/export?format=csv&since=${since}`, 'usage.csv')}>CSV</button>
      </div>
      {error && <ErrorNote error={error} />}
      {view?.state === 'off' && <OffNote off={view} />}
      {view?.state === 'ready' && view.totals.calls === 0 && (
        <Empty>
          <p class="big">Nothing was recorded.</p>
          <p class="quiet">Usage is recorded by routers with a configuration file.</p>
        </Empty>
      )}
      {view?.state === 'ready' && view.totals.calls > 0 && <Usage view={view} />}
    </>
  )
}

function Usage({ view }: { view: UsageView }) {
  const { totals, tools, saved, series } = view
  const data = {
    times: series.map(({ at }) => Date.parse(at) / 1000),
    lines: [
      { name: 'calls', values: series.map(({ calls }) => calls) },
      { name: 'errors', values: series.map(({ errors }) => errors) },
      { name: 'p95 ms', values: series.map(({ p95 }) => p95) },
    ],
  }
  return (
    <>
      <p>
        {totals.calls} calls, {totals.errors} errors; {bytesText(totals.received_bytes)} received,{' '}
        {bytesText(totals.sent_bytes)} sent to agents; about <strong>{saved}</strong> tokens saved (estimated)
      </p>
      <Chart
        data={data}
        label="Calls, errors and the 95th percentile of latency over time; the table below sums them"
      />
      <table class="cards">
        <thead>
          <tr>
            {['Tool', 'Calls', 'Errors', 'p50 ms', 'p95 ms', 'p99 ms'].map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tools.map((row, at) => (
            <tr key={at} data-testid="usage-row">
              <td>
                <Foreign text={row.server} />/<Foreign text={row.tool} />
              </td>
              {[row.calls, row.errors, row.p50, row.p95, row.p99].map((number, column) => (
                <td key={column} class="number">
                  {number}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

interface ServersView {
  items: {
    name: Quoted
    kind: string
    state: string
    changed: number
    transport: string
    command: Quoted | null
    host: string | null
  }[]
}

export function ServersPage() {
  const { view, error } = useView<ServersView>('/api/servers', ['servers'])
  const { id } = address.value
  if (id !== undefined) return <Changes name={id} />
  if (error) return <ErrorNote error={error} />
  if (view?.state !== 'ready') return view ? <OffNote off={view} /> : <p class="quiet">Reading…</p>
  const isAlone = view.items.every(({ kind }) => kind !== 'mounted')
  return (
    <>
      <ul class="plain">
        {view.items.map((server, at) => (
          <li key={at} class="card" data-testid="server-row">
            <strong>
              <Foreign text={server.name} />
            </strong>{' '}
            <span class={`state ${server.state}`}>{server.state}</span>{' '}
            <span class="quiet">
              {server.transport}, <Foreign text={server.command} /> {server.host}
            </span>
            {server.kind === 'mounted' && <Mounted name={nameOf(server.name)} changed={server.changed} />}
          </li>
        ))}
      </ul>
      {isAlone && (
        <div class="empty">
          <p>No other servers are mounted. They are named in the configuration file:</p>
          <pre>{'version: 1\nservers:\n  notes: { command: npx, args: [-y, your-server] }'}</pre>
        </div>
      )}
    </>
  )
}

const nameOf = (name: Quoted): string => name.parts.map((part) => ('t' in part ? part.t : '')).join('')

function Mounted({ name, changed }: { name: string; changed: number }) {
  const [told, setTold] = useState('')
  const [isAsking, setAsking] = useState(false)
  const tryNow = async () => {
    setAsking(false)
    setTold('starting it…')
    const reply = await postJson<{ state: string; error: Quoted | null; tools: number }>(`/api/servers/${name}/try`, {})
    if (!reply.ok) return setTold(reply.error.message)
    const { state, error, tools } = reply.value
    setTold(error === null ? `${state}, ${tools} tools` : nameOf(error))
  }
  return (
    <p class="actions">
      {isAsking ? (
        <>
          <span>This runs its program here.</span>
          <button onClick={() => void tryNow()}>Run it</button>
          <button onClick={() => setAsking(false)}>No</button>
        </>
      ) : (
        <button onClick={() => setAsking(true)}>Try now</button>
      )}
      {changed > 0 && <a href={`#/servers/${name}`}>{changed} changed definitions</a>}
      <span role="status">{told}</span>
    </p>
  )
}

function Changes({ name }: { name: string }) {
  const { view, error } = useView<{ items: { name: Quoted; changedAt: Instant; before: Quoted; after: Quoted }[] }>(
    `/api/servers/${name}/tools`,
    ['servers'],
  )
  if (error) return <ErrorNote error={error} />
  if (view?.state !== 'ready') return view ? <OffNote off={view} /> : <p class="quiet">Reading…</p>
  return (
    <>
      <p class="actions">
        <a href="#/servers">← all servers</a>
      </p>
      <p>
        Accept them with <code>hubu-unified-mcp servers accept {name}</code>.
      </p>
      {view.items.map((tool, at) => (
        <section key={at} class="card">
          <h2>
            <Foreign text={tool.name} />
          </h2>
          <p class="quiet">changed {dayAndTime(tool.changedAt)}</p>
          <h3>Accepted</h3>
          <pre tabIndex={0}>
            <Foreign text={tool.before} />
          </pre>
          <h3>Now</h3>
          <pre tabIndex={0}>
            <Foreign text={tool.after} />
          </pre>
        </section>
      ))}
    </>
  )
}

interface HealthView {
  findings: Finding[]
  studio: { startedAt: Instant; sessions: number; streams: number }
}
const order = { failure: 0, warning: 1, ok: 2 }

export function HealthPage() {
  const { view, error, again } = useView<HealthView>('/api/health', ['health'])
  if (error) return <ErrorNote error={error} />
  if (view?.state !== 'ready') return view ? <OffNote off={view} /> : <p class="quiet">Examining this machine…</p>
  const findings = [...view.findings].sort((a, b) => order[a.status] - order[b.status])
  const report = () =>
    findings.map((f) => `${f.status}\t${f.check}\t${f.message}${f.remedy ? `\n\t-> ${f.remedy}` : ''}`).join('\n')
  const examine = async () => {
    await postJson('/api/health/examine', {})
    again()
  }
  return (
    <>
      <p class="actions">
        <button onClick={() => void examine()}>Examine again</button>
        <button onClick={() => void navigator.clipboard.writeText(report())}>Copy the report</button>
      </p>
      <ul class="plain">
        {findings.map((finding, at) => (
          <li key={at} class="card" data-testid="finding" data-status={finding.status}>
            <span class={`state ${finding.status}`}>{finding.status}</span> <strong>{finding.check}</strong>{' '}
            {finding.message}
            {finding.remedy && <div class="quiet">→ {finding.remedy}</div>}
          </li>
        ))}
      </ul>
      <p class="quiet small">
        This studio runs since {dayAndTime(view.studio.startedAt)}, with {view.studio.sessions} unlocked browsers and{' '}
        {view.studio.streams} connections. Notifications: leave <code>hubu-unified-mcp approvals watch --desktop</code>{' '}
        running.
      </p>
    </>
  )
}
