/** Compares answers with the spec: status, content type, required, types, no further properties. */
import type { Exchange } from '../http/exchange.ts'
import { Mismatch } from '../run/mismatch.ts'
import type { ServedSpec, SpecResponse } from './document.ts'
import { createValidate, type Validate } from './validate.ts'

/** Throws a `Mismatch` for an answer that the spec does not describe. */
export type Conforms = (exchange: Exchange) => void

/** `base` is the path of the base address, which is not part of the paths of the spec. */
export function createConforms(spec: ServedSpec, base: string): Conforms {
  const validate = createValidate(spec.document)
  return (exchange) => {
    const { pathname, searchParams } = new URL(exchange.request.address)
    const operation = spec.find(exchange.request.method, pathname.slice(base.length))
    if (operation === null || isUnchanged(exchange)) return
    const response = operation.responses.get(String(exchange.status)) ?? operation.responses.get('default')
    if (response === undefined) {
      throw new Mismatch(`${operation.id} answers a status that its spec does not list`, {
        exchange,
        expected: [...operation.responses.keys()].join(', '),
        received: `${exchange.status}: ${exchange.text.slice(0, 300)}`,
        pointer: `${operation.pointer}/responses`,
      })
    }
    // The media type of an exported list can be that of the list with its envelope.
    if (!searchParams.has('export')) checkBody(operation.id, exchange, response, validate)
  }
}

/** The answer to a condition of the request, which HTTP defines for every read. */
const isUnchanged = ({ status, request }: Exchange): boolean => status === 304 && 'if-none-match' in request.headers

function checkBody(id: string, exchange: Exchange, { content, pointer }: SpecResponse, validate: Validate): void {
  const { mediaType, json, text } = exchange
  const isEmpty = content.size === 0
  if (isEmpty ? text !== '' : !content.has(mediaType) && !content.has('*/*')) {
    throw new Mismatch(`${id} answers another content type than its spec lists`, {
      exchange,
      expected: isEmpty ? 'no body' : [...content.keys()].join(', '),
      received: mediaType === '' ? text.slice(0, 300) : mediaType,
      pointer,
    })
  }
  const schema = content.get(mediaType)
  if (schema === undefined || schema === null || !mediaType.includes('json')) return
  const complaint = validate(schema, json ?? text)
  if (complaint === null) return
  throw new Mismatch(`${id} answers a body that does not fit its schema`, {
    exchange,
    expected: complaint,
    received: text.slice(0, 1000),
    pointer,
  })
}
