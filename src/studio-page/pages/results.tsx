// What was too large to send.
import { useEffect, useState } from 'preact/hooks'
import type { Instant, Quoted } from '../../studio/views/words.ts'
import { address } from '../address.ts'
import { getBytes, getJson, save } from '../api.ts'
import { bytesText, Empty, ErrorNote, Foreign, OffNote, Quotation, span } from '../parts/text.tsx'
import { useView } from '../view.ts'
import { now } from './inbox.tsx'

interface Row {
  callId: string
  server: Quoted
  tool: Quoted
  bytes: number
  sha256: string
  isError: boolean
  createdAt: Instant
  expiresAt: Instant
}
interface ListView {
  items: Row[]
  calls: { callId: string; server: Quoted; tool: Quoted; state: string; startedAt: Instant }[]
}
interface OneView {
  result: Row
  files: { number: number; mediaType: Quoted; bytes: number; shown: string | null }[]
  isShown: boolean
}

export function ResultsPage() {
  const { id } = address.value
  return id === undefined ? <List /> : <One callId={id} />
}

function List() {
  const { view, error } = useView<ListView>('/api/results?limit=100', ['results'])
  if (error) return <ErrorNote error={error} />
  if (view?.state === 'off') return <OffNote off={view} />
  if (view === undefined) return <p class="quiet">Reading…</p>
  if (view.items.length === 0 && view.calls.length === 0)
    return (
      <Empty>
        <p class="big">Nothing is stored.</p>
        <p class="quiet">Results above the budget (32 KB) are kept here for 24 hours.</p>
      </Empty>
    )
  return (
    <table class="cards">
      <thead>
        <tr>
          {['Tool', 'Size', 'Age', 'Left', ''].map((name) => (
            <th key={name}>{name || <span class="unseen">State</span>}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {view.items.map((row) => (
          <tr key={row.callId} data-testid="result-row">
            <td>
              <a href={`#/results/${row.callId}`}>
                <Foreign text={row.server} />/<Foreign text={row.tool} />
              </a>
            </td>
            <td class="number">{bytesText(row.bytes)}</td>
            <td>{span(now.value - Date.parse(row.createdAt))}</td>
            <td>{span(Date.parse(row.expiresAt) - now.value)}</td>
            <td>{row.isError ? 'error' : 'stored'}</td>
          </tr>
        ))}
        {view.calls.map((row) => (
          <tr key={row.callId} data-testid="result-row">
            <td>
              <Foreign text={row.server} />/<Foreign text={row.tool} />
            </td>
            <td>–</td>
            <td>{span(now.value - Date.parse(row.startedAt))}</td>
            <td>–</td>
            <td>{row.state.replaceAll('_', ' ')} in the background</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface PageOfBytes {
  shown: Quoted
  cursor: number
  nextCursor: number
  done: boolean
}

function One({ callId }: { callId: string }) {
  const { view, error } = useView<OneView>(`/api/results/${callId}`, [])
  const [places, setPlaces] = useState<number[]>([0])
  const [page, setPage] = useState<PageOfBytes>()
  const cursor = places.at(-1)!
  useEffect(() => {
    void getJson<PageOfBytes>(`/api/results/${callId}/page?cursor=${cursor}&encoding=utf8`).then(
      (reply) => reply.ok && setPage(reply.value),
    )
  }, [callId, cursor])
  if (error)
    return <ErrorNote error={{ code: error.code, message: 'This result is gone. They are kept for 24 hours.' }} />
  if (view?.state !== 'ready') return view ? <OffNote off={view} /> : <p class="quiet">Reading…</p>
  const { result, files, isShown } = view
  return (
    <article>
      <p class="actions">
        <a href="#/results">← all results</a>
      </p>
      <p>
        <strong>
          <Foreign text={result.server} />/<Foreign text={result.tool} />
        </strong>{' '}
        {bytesText(result.bytes)}
      </p>
      {isShown ? (
        <button onClick={() => void save(`/api/results/${callId}/bytes`, `${callId}.json`)}>Download</button>
      ) : (
        <p>
          It is too large for a page: <code>hubu-unified-mcp results get {callId} -o result.json</code>
        </p>
      )}
      {files.map((file) => (
        <File key={file.number} callId={callId} file={file} />
      ))}
      {page && <Quotation text={page.shown} who={`Bytes ${page.cursor} to ${page.nextCursor}:`} />}
      <p class="actions">
        {places.length > 1 && <button onClick={() => setPlaces(places.slice(0, -1))}>Before</button>}
        {page && !page.done && <button onClick={() => setPlaces([...places, page.nextCursor])}>After</button>}
      </p>
      <p class="quiet small">sha256 {result.sha256}</p>
    </article>
  )
}

function File({ callId, file }: { callId: string; file: OneView['files'][number] }) {
  const [address, setAddress] = useState<string>()
  const path = `/api/results/${callId}/files/${file.number}`
  useEffect(() => {
    if (file.shown === null) return
    let made: string | undefined
    void getBytes(path).then((bytes) => {
      if (bytes === undefined) return
      made = URL.createObjectURL(new Blob([bytes], { type: file.shown! }))
      setAddress(made)
    })
    return () => made !== undefined && URL.revokeObjectURL(made)
  }, [path])
  return (
    <figure>
      {address && <img src={address} alt={`Picture ${file.number} of this result`} />}
      <figcaption>
        File {file.number}, <Foreign text={file.mediaType} />, {bytesText(file.bytes)}{' '}
        <button onClick={() => void save(path, `${callId}-${file.number}`)}>Download</button>
      </figcaption>
    </figure>
  )
}
