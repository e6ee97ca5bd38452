/** Compares answers with the spec: status, content type, required, types, no further properties. */
import type { Answer, Exchange } from '../http/exchange.ts'
import { Mismatch } from '../run/mismatch.ts'
import type { Content, Operation, Spec } from './operations.ts'
import type { ServedSpec } from './served.ts'
import { createValidate, type Validate } from './validate.ts'

/** What the spec does not say of an answer. */
export type Deviation = {
  readonly what: string
  readonly expected: string
  readonly received: string
  readonly pointer: string
}

type Compare = (operation: Operation, answer: Answer, validate: Validate) => Deviation | null

const responseOf = ({ responses, otherwise }: Operation, status: number): Content | null =>
  responses.get(status) ?? otherwise

export const statusIsDocumented: Compare = (operation, { status, text }) =>
  responseOf(operation, status) === null
    ? {
        what: `${operation.id} answers a status that its spec does not list`,
        expected: [...operation.responses.keys()].join(', '),
        received: `${status}: ${text.slice(0, 300)}`,
        pointer: `${operation.pointer}/responses`,
      }
    : null

export const contentTypeMatches: Compare = (operation, { status, mediaType, text }) => {
  const response = responseOf(operation, status)
  if (response === null) return null
  const { mediaTypes, pointer } = response
  const isEmpty = mediaTypes.length === 0
  const isListed = mediaTypes.some((each) => each === mediaType || each === '*/*')
  if (isEmpty ? mediaType === '' && text === '' : isListed) return null
  return {
    what: `${operation.id} answers another content type than its spec lists`,
    expected: isEmpty ? 'no body' : mediaTypes.join(', '),
    received: mediaType === '' ? text.slice(0, 300) : mediaType,
    pointer,
  }
}

export const bodyMatchesSchema: Compare = (operation, { status, mediaType, json, text }, validate) => {
  const response = responseOf(operation, status)
  const schema = response?.schemas.get(mediaType)
  if (response === null || schema === undefined || schema === null || !mediaType.includes('json')) return null
  const complaint = validate(schema, json ?? text)
  if (complaint === null) return null
  return {
    what: `${operation.id} answers a body that does not fit its schema`,
    expected: complaint,
    received: text.slice(0, 1000),
    pointer: response.pointer,
  }
}

/** Throws a `Mismatch` for an answer that the spec does not describe. */
export type Conforms = (exchange: Exchange) => void

/** `base` is the path of the base address, which is not part of the paths of the spec. */
export function createConforms(spec: Pick<ServedSpec, 'find'> & Pick<Spec, 'document'>, base: string): Conforms {
  const validate = createValidate(spec)
  return (exchange) => {
    const { pathname, searchParams } = new URL(exchange.request.address)
    const operation = spec.find(exchange.request.method, pathname.slice(base.length))?.operation
    if (operation === undefined || isUnchanged(exchange)) return
    // The media type of an exported list can be that of the list with its envelope.
    const isExport = searchParams.has('export')
    const compared = isExport ? [statusIsDocumented] : [statusIsDocumented, contentTypeMatches, bodyMatchesSchema]
    for (const compare of compared) {
      const deviation = compare(operation, exchange, validate)
      if (deviation !== null) throw new Mismatch(deviation.what, { exchange, ...deviation })
    }
  }
}

/** The answer to a condition of the request, which HTTP defines for every read. */
const isUnchanged = ({ status, request }: Exchange): boolean => status === 304 && 'if-none-match' in request.headers
