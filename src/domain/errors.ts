/**
 * Every failure that a client can be told about. One closed union; each generation maps it in one
 * table to its status and code. Anything else that escapes is a bug: a 500 that says nothing.
 */
import type { Action } from './actor.ts'

export type Failure =
  /** `denied` names the right that is missing; a generation may tell it or keep silent. */
  | { readonly kind: 'forbidden'; readonly reason?: string; readonly denied?: Denied }
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'invalid-token' }
  | { readonly kind: 'token-expired' }
  /** The token is well-formed, but its session has ended or nobody holds it. */
  | { readonly kind: 'unknown-token' }
  | { readonly kind: 'invalid-credentials' }
  | { readonly kind: 'user-suspended' }
  | { readonly kind: 'user-inactive' }
  | { readonly kind: 'invalid-otp' }
  | { readonly kind: 'missing-otp' }
  | { readonly kind: 'invalid-ip' }
  /** A policy demands a second factor, and until there is one nothing else may be done. */
  | { readonly kind: 'second-factor-demanded' }
  /** `name` is the parameter, `reason` says what was expected and what came. */
  | { readonly kind: 'invalid-query'; readonly name: string; readonly reason: string }
  | { readonly kind: 'invalid-payload'; readonly name?: string; readonly reason: string }
  | {
      readonly kind: 'failed-validation'
      readonly field: string
      readonly type: ValidationType
      readonly limit?: unknown
      readonly message?: string
    }
  | { readonly kind: 'collection-not-found'; readonly collection: string }
  /** Missing and invisible alike. */
  | { readonly kind: 'item-not-found'; readonly collection: string }
  | { readonly kind: 'system-collection'; readonly collection: string }
  | { readonly kind: 'field-not-found'; readonly collection: string; readonly field: string }
  /** A path leads on through a field that is no relation. */
  | { readonly kind: 'not-relational'; readonly collection: string; readonly field: string }
  /** A list or an object was given to a field that holds neither. */
  | { readonly kind: 'not-scalar'; readonly collection: string; readonly field: string }
  | { readonly kind: 'unknown-operator'; readonly name: string; readonly operator: string }
  | { readonly kind: 'not-unique'; readonly collection: string | null; readonly field: string | null }
  | { readonly kind: 'invalid-foreign-key'; readonly collection: string | null; readonly field: string | null }
  | { readonly kind: 'not-null'; readonly collection: string | null; readonly field: string | null }
  /** A column that holds nulls cannot forbid them. */
  | { readonly kind: 'contains-null-values'; readonly collection: string | null; readonly field: string | null }
  | { readonly kind: 'value-too-long'; readonly collection: string | null; readonly field: string | null }
  | { readonly kind: 'value-out-of-range'; readonly collection: string | null; readonly field: string | null }
  | { readonly kind: 'content-too-large'; readonly limit: number }
  /** An upload that was wrong as a whole, or that could not be taken. */
  | { readonly kind: 'upload-failed'; readonly problem: UploadProblem; readonly reason: string }
  | { readonly kind: 'unsupported-media-type'; readonly mediaType: string; readonly expected: string }
  | { readonly kind: 'unprocessable'; readonly reason: string }
  /** Somebody was faster, or what the client knows is old: it should look again. */
  | { readonly kind: 'conflict'; readonly reason: string }
  /** `name` is the header that says which version of a protocol is spoken. */
  | { readonly kind: 'unsupported-version'; readonly name: string; readonly supported: string }
  /** `name` is the header that says another sum than the body has. */
  | { readonly kind: 'checksum-mismatch'; readonly name: string }
  /** What is asked of an image cannot be done with it. */
  | { readonly kind: 'illegal-transformation'; readonly reason: string }
  /** `condition` is the header that does not hold. */
  | { readonly kind: 'precondition-failed'; readonly condition: string }
  /** `size` is that of the whole, `range` what the request said. */
  | { readonly kind: 'range-not-satisfiable'; readonly range: string; readonly size: number }
  /** `retryAfter` in seconds; `reset` is the moment, in ISO 8601. */
  | {
      readonly kind: 'requests-exceeded'
      readonly limit: number
      readonly retryAfter: number
      readonly reset: string
    }
  | { readonly kind: 'route-not-found'; readonly path: string }
  | { readonly kind: 'method-not-allowed'; readonly method: string; readonly allowed: readonly string[] }
  | { readonly kind: 'project-not-found'; readonly project: string }
  | { readonly kind: 'unavailable'; readonly service: string; readonly reason: string; readonly retryAfter: number }

/** `several`: more files than one. */
export type UploadProblem =
  | 'several'
  | 'missing'
  | 'too-large'
  | 'beyond-form'
  | 'incomplete'
  | 'no-folder'
  | 'not-written'
  | 'unknown'

export type ErrorKind = Failure['kind']

/** A right on a collection or on one of its fields, as the request asked for it (whether or not it exists). */
export type Denied = { readonly action: Action; readonly collection: string; readonly field?: string }

/** The rule that a value broke. */
export type ValidationType =
  | 'required'
  | 'type'
  | 'email'
  | 'regex'
  | 'eq'
  | 'neq'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'in'
  | 'nin'
  | 'null'
  | 'nnull'
  | 'empty'
  | 'nempty'
  | 'contains'
  | 'ncontains'
  | 'icontains'
  | 'nicontains'
  | 'starts_with'
  | 'nstarts_with'
  | 'istarts_with'
  | 'nistarts_with'
  | 'ends_with'
  | 'nends_with'
  | 'iends_with'
  | 'niends_with'
  | 'between'
  | 'nbetween'
  | 'submitted'

/** The only error that is thrown on purpose. Several failures at once become several wire entries. */
export class TandemError extends Error {
  readonly failures: readonly [Failure, ...Failure[]]

  constructor(failure: Failure | readonly [Failure, ...Failure[]], options?: { readonly cause?: unknown }) {
    const failures = (Array.isArray(failure) ? failure : [failure]) as readonly [Failure, ...Failure[]]
    super(failures.map((each) => each.kind).join(', '), options)
    this.name = 'TandemError'
    this.failures = failures
  }
}
