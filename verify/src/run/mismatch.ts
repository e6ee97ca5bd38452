/** What a check throws when an answer is not the expected one. */
import { isDeepStrictEqual } from 'node:util'
import type { Exchange } from '../http/exchange.ts'

export type MismatchDetail = {
  readonly exchange: Exchange | null
  readonly expected: unknown
  readonly received: unknown
  /** JSON pointer into the spec, if the spec says what was expected. */
  readonly pointer?: string
}

export class Mismatch extends Error {
  readonly detail: MismatchDetail

  constructor(message: string, detail: MismatchDetail) {
    super(message)
    this.detail = detail
  }
}

/** Fails unless the status is one of those expected. */
export function expectStatus(exchange: Exchange, ...expected: readonly number[]): void {
  if (expected.includes(exchange.status)) return
  throw new Mismatch('The status is not the expected one', {
    exchange,
    expected: expected.join(' or '),
    received: `${exchange.status}: ${exchange.text.slice(0, 500)}`,
  })
}

/** Fails unless both values are deeply equal. */
export function expectSame(exchange: Exchange | null, what: string, received: unknown, expected: unknown): void {
  if (isDeepStrictEqual(received, expected)) return
  throw new Mismatch(what, { exchange, expected, received })
}

/** Fails unless the condition holds. */
export function expectThat(exchange: Exchange | null, what: string, holds: boolean, received: unknown = null): void {
  if (holds) return
  throw new Mismatch(what, { exchange, expected: what, received: received ?? exchange?.text.slice(0, 500) ?? null })
}

/** `data` of a successful answer. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function dataOf<T = unknown>(exchange: Exchange, status = 200): T {
  expectStatus(exchange, status)
  const body = exchange.json
  if (typeof body !== 'object' || body === null || !('data' in body)) {
    throw new Mismatch('The answer has no `data`', {
      exchange,
      expected: '{"data": …}',
      received: exchange.text.slice(0, 500),
    })
  }
  return body.data as T
}
