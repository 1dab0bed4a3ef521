// Numbers for Prometheus. Loaded only where they are asked for.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { methodLabel, type Meters } from './meters.ts'

/** What is looked at when somebody reads. */
export interface Looks {
  inFlight(): number
  /** Subscriptions and streams of sessions that are open. */
  held(): number
}

/** Counts; `read` gives the text. */
export function createMeters(looks: Looks): Meters {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers })
  const requests = counter('hubu_http_requests_total', 'Requests that were answered.', ['era', 'method', 'status'])
  const refused = counter('hubu_http_refused_total', 'Requests that the edge refused.', ['reason'])
  const failures = counter('hubu_auth_failures_total', 'Bearers that were not taken.', ['reason'])
  const questions = counter('hubu_questions_total', 'Questions of mounted servers to sessions.', ['end'])
  const seconds = new Histogram({
    name: 'hubu_http_request_seconds',
    help: 'How long requests took.',
    labelNames: ['era', 'method'],
    registers,
  })
  const gauge = (name: string, help: string, look: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(look())
      },
    })
  gauge('hubu_http_in_flight', 'Requests under way.', looks.inFlight)
  gauge('hubu_http_streams', 'Subscriptions and streams of sessions that are open.', looks.held)
  return {
    answered({ era, method, status, seconds: took }) {
      const label = methodLabel(method)
      requests.inc({ era, method: label, status })
      seconds.observe({ era, method: label }, took)
    },
    refused: (reason) => refused.inc({ reason }),
    authFailed: (reason) => failures.inc({ reason }),
    questionEnded: (end) => questions.inc({ end }),
    read: () => registry.metrics(),
  }
}
