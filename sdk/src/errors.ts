/** Errors of a server. */

export type Generation = 'current' | 'legacy'

/** String codes of the current generation, numbers of the legacy one. */
export type ErrorCode = string | number

/** Thrown for every response outside 2xx. `Body` is the documented error body of the operation, `Code` a code of the generation. */
export class TandemApiError<Body = unknown, Code extends ErrorCode = ErrorCode> extends Error {
  readonly status: number
  readonly generation: Generation
  /** Codes of all errors in the body, in order; empty if there are none. */
  readonly codes: readonly Code[]
  readonly body: Body
  /** The server's id of the request, which its log contains; null if the response has none. */
  readonly requestId: string | null

  constructor(generation: Generation, status: number, body: Body, requestId: string | null = null) {
    const failures = failuresOf(body)
    super(failures.map((failure) => failure.message).join(' ') || `The server answered ${status}.`)
    this.name = 'TandemApiError'
    this.status = status
    this.generation = generation
    this.codes = failures.flatMap((failure) => (failure.code === null ? [] : [failure.code as Code]))
    this.body = body
    this.requestId = requestId
  }

  /** The first code; null if there is none. */
  get code(): Code | null {
    return this.codes[0] ?? null
  }
}

/** Whether the error is a response outside 2xx, and has `code` if given. */
export function isApiError<Body = unknown>(error: unknown, code?: ErrorCode): error is TandemApiError<Body> {
  return error instanceof TandemApiError && (code === undefined || error.codes.includes(code))
}

type Failure = { readonly code: ErrorCode | null; readonly message: string }

/** Reads both forms: a list in `errors`, an object in `error`. */
function failuresOf(body: unknown): readonly Failure[] {
  if (typeof body !== 'object' || body === null) return []
  if ('errors' in body && Array.isArray(body.errors)) return body.errors.map(toFailure)
  return 'error' in body ? [toFailure(body.error)] : []
}

function toFailure(value: unknown): Failure {
  if (typeof value !== 'object' || value === null) return { code: null, message: String(value) }
  const { message, code, extensions } = value as Wire
  const named = extensions?.code ?? code
  return {
    code: typeof named === 'string' || typeof named === 'number' ? named : null,
    message: typeof message === 'string' ? message : '',
  }
}

type Wire = { readonly message?: unknown; readonly code?: unknown; readonly extensions?: { readonly code?: unknown } }
