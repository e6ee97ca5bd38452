/** What a server of one generation answered instead of a result. */

export type Generation = 'current' | 'legacy'

/** Text codes of the current generation, numbers of the legacy one. */
export type ErrorCode = string | number

/** Thrown for every answer outside 2xx. `Body` is what the operation documents for its failures. */
export class TandemApiError<Body = unknown> extends Error {
  readonly status: number
  readonly generation: Generation
  /** One per failure that the server names, in its order; empty when the body names none. */
  readonly codes: readonly ErrorCode[]
  readonly body: Body

  constructor(generation: Generation, status: number, body: Body) {
    const failures = failuresOf(body)
    super(failures.map((failure) => failure.message).join(' ') || `The server answered ${status}.`)
    this.name = 'TandemApiError'
    this.status = status
    this.generation = generation
    this.codes = failures.flatMap((failure) => (failure.code === null ? [] : [failure.code]))
    this.body = body
  }

  /** The first code; null when the body names none. */
  get code(): ErrorCode | null {
    return this.codes[0] ?? null
  }
}

/** True for an answer outside 2xx, with `code` for one that names this code. */
export function isApiError<Body = unknown>(error: unknown, code?: ErrorCode): error is TandemApiError<Body> {
  return error instanceof TandemApiError && (code === undefined || error.codes.includes(code))
}

type Failure = { readonly code: ErrorCode | null; readonly message: string }

/** Both forms at once: a list under `errors`, one under `error`. */
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
