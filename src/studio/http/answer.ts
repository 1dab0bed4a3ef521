// What every answer carries, and the ways in which one is written.
import type { ServerResponse } from 'node:http'
import type { StudioError } from './error-codes.ts'
import { errorCodes } from './error-codes.ts'

/** Stands in every answer, refusals and streams included. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cache-Control': 'no-store',
}

/** A whole answer. */
export interface WholeAnswer {
  status: number
  type?: string
  body?: string | Buffer
  headers?: Readonly<Record<string, string>>
  closes?: boolean
}

export const jsonType = 'application/json; charset=utf-8'
export const plainType = 'text/plain; charset=utf-8'

/** Writes a whole answer. */
export function answerWhole(response: ServerResponse, answer: WholeAnswer): void {
  const { status, type, body = '', headers = {}, closes = false } = answer
  response.writeHead(status, {
    ...securityHeaders,
    ...headers,
    ...(type !== undefined && { 'Content-Type': type }),
    ...(status !== 204 && { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...(closes && { Connection: 'close' }),
  })
  response.end(body)
}

/** An error as an answer: an object below `/api/`, a line elsewhere. Nothing of the request is repeated. */
export function errorAnswerOf(error: StudioError, isApi: boolean): WholeAnswer {
  const { code, message, members, headers } = error
  const status = errorCodes[code][0]
  if (!isApi) return { status, type: plainType, body: `${message}\n`, headers }
  return { status, type: jsonType, body: JSON.stringify({ error: { code, message, ...members } }), headers }
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

/** What a connection gets on which no request could be read. */
export function rawRefusal(status: number): string {
  const body = `${reasons[status] ?? 'Bad Request'}\n`
  const headers = { ...securityHeaders, 'Content-Type': plainType, 'Content-Length': String(body.length) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${body.trim()}\r\n${lines.join('')}Connection: close\r\n\r\n${body}`
}
