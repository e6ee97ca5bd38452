/**
 * All failures that are reported to clients, as a closed union. Each generation maps them to status and code in one
 * table. Any other error is a bug: a 500 without details.
 */
import type { Action } from './actor.ts'

export type Failure =
  /** `denied` is the missing right; each generation decides whether to show it. */
  | { readonly kind: 'forbidden'; readonly reason?: string; readonly denied?: Denied }
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'invalid-token' }
  | { readonly kind: 'token-expired' }
  /** The token is well-formed, but its session has ended or no user has it. */
  | { readonly kind: 'unknown-token' }
  /** `unknownEmail`: an address without account that is proven to be that of the caller. */
  | { readonly kind: 'invalid-credentials'; readonly unknownEmail?: string }
  | { readonly kind: 'user-suspended' }
  | { readonly kind: 'user-inactive' }
  | { readonly kind: 'invalid-otp' }
  | { readonly kind: 'missing-otp' }
  | { readonly kind: 'invalid-ip' }
  /** The identity that a provider has proven may not use the account with that address or identifier. */
  | { readonly kind: 'invalid-provider' }
  /** A policy requires a second factor, and the user has to set one up before anything else. */
  | { readonly kind: 'second-factor-demanded' }
  /** `name` is the parameter; `reason` states what was expected and received. */
  | { readonly kind: 'invalid-query'; readonly name: string; readonly reason: string }
  | { readonly kind: 'invalid-payload'; readonly name?: string; readonly reason: string }
  | {
      readonly kind: 'failed-validation'
      readonly field: string
      readonly type: ValidationType
      readonly limit?: unknown
      /** The limit is the list of words that the column takes, which both generations spell alike. */
      readonly isOfColumn?: true
      readonly message?: string
    }
  | { readonly kind: 'collection-not-found'; readonly collection: string }
  /** The item does not exist or is not visible; the two cases are not distinguished. */
  | { readonly kind: 'item-not-found'; readonly collection: string }
  /** A revision that holds no state of its item, such as one that another program has changed. */
  | { readonly kind: 'revision-without-state'; readonly revision: string }
  | { readonly kind: 'system-collection'; readonly collection: string }
  /** `within`: the field was named in a condition. */
  | {
      readonly kind: 'field-not-found'
      readonly collection: string
      readonly field: string
      readonly within?: 'filter'
    }
  /** A path continues after a field that is not a relation. `beyond`: after one whose related rows are hidden. */
  | {
      readonly kind: 'not-relational'
      readonly collection: string
      readonly field: string
      readonly beyond?: true
    }
  /** A list or an object was given for a scalar field. */
  | { readonly kind: 'not-scalar'; readonly collection: string; readonly field: string }
  | { readonly kind: 'unknown-operator'; readonly name: string; readonly operator: string }
  /** `constraint`: the database's own name of the rule; `value`: the key, for callers that may see it. */
  | ({ readonly kind: 'not-unique' } & RefusedKey)
  | ({ readonly kind: 'invalid-foreign-key' } & RefusedKey)
  | { readonly kind: 'not-null'; readonly collection: string | null; readonly field: string | null }
  /** A column that contains nulls cannot be made NOT NULL. */
  | { readonly kind: 'contains-null-values'; readonly collection: string | null; readonly field: string | null }
  | { readonly kind: 'value-too-long'; readonly collection: string | null; readonly field: string | null }
  | { readonly kind: 'value-out-of-range'; readonly collection: string | null; readonly field: string | null }
  | { readonly kind: 'content-too-large'; readonly limit: number }
  /** An upload that was malformed or could not be stored. */
  | { readonly kind: 'upload-failed'; readonly problem: UploadProblem; readonly reason: string }
  /** `header`: the one at fault; absent = Content-Type. */
  | {
      readonly kind: 'unsupported-media-type'
      readonly header?: 'Content-Encoding'
      readonly mediaType: string
      readonly expected: string
    }
  /** A requested data model is invalid; `name` is the part of the request at fault. */
  | { readonly kind: 'invalid-model'; readonly problem: ModelProblem; readonly name: string; readonly reason: string }
  | { readonly kind: 'unprocessable'; readonly reason: string }
  /** Rows of these collections refer to each other, and none of the references can wait. */
  | {
      readonly kind: 'cyclic-references'
      readonly collections: readonly string[]
      readonly relations: readonly { readonly collection: string; readonly field: string; readonly related: string }[]
    }
  /** The `Idempotency-Key` of the request was sent with another request. */
  | { readonly kind: 'key-reused' }
  /** A request with the same `Idempotency-Key` is being worked on. */
  | { readonly kind: 'request-in-progress'; readonly retryAfter: number }
  | { readonly kind: 'unknown-hasher'; readonly hasher: string }
  /** The change would leave no administrator. */
  | { readonly kind: 'last-administrator'; readonly reason: string }
  /** A mail cannot be delivered. */
  | { readonly kind: 'mail-failed'; readonly problem: MailProblem; readonly reason: string }
  /** The data has changed since the client read it, or another request changes it now. */
  | { readonly kind: 'conflict'; readonly reason: string }
  /** `name` is the header with the protocol version. */
  | { readonly kind: 'unsupported-version'; readonly name: string; readonly supported: string }
  /** `name` is the header whose checksum differs from that of the body. */
  | { readonly kind: 'checksum-mismatch'; readonly name: string }
  /** The requested transformation cannot be applied to the image. */
  | { readonly kind: 'illegal-transformation'; readonly reason: string }
  /** `condition` is the header whose precondition failed. */
  | { readonly kind: 'precondition-failed'; readonly condition: string }
  /** `size` is the size of the whole content, `range` the requested range. */
  | { readonly kind: 'range-not-satisfiable'; readonly range: string; readonly size: number }
  /** `retryAfter` is in seconds; `reset` is a time in ISO 8601. */
  | {
      readonly kind: 'requests-exceeded'
      readonly limit: number
      readonly retryAfter: number
      readonly reset: string
    }
  /** `isInProject`: the path begins with the key of a project. */
  | { readonly kind: 'route-not-found'; readonly path: string; readonly isInProject?: boolean }
  | { readonly kind: 'method-not-allowed'; readonly method: string; readonly allowed: readonly string[] }
  | { readonly kind: 'project-not-found'; readonly project: string }
  /** The configuration of a project cannot be used, or a project cannot be created. */
  | {
      readonly kind: 'project-fault'
      readonly problem: ProjectProblem
      readonly reason: string
      /** Seconds, where another attempt may succeed. */
      readonly retryAfter?: number
    }
  | { readonly kind: 'unavailable'; readonly service: string; readonly reason: string; readonly retryAfter: number }

type RefusedKey = {
  readonly collection: string | null
  readonly field: string | null
  readonly constraint?: string
  readonly value?: string
}

/**
 * `settings`: any part of the configuration without a problem of its own. `folder`: of the storage. `file`: of the
 * configuration. `taken`: another project has the name. `database`: no project can be created in it. `connection`: the
 * database cannot be reached.
 */
export type ProjectProblem =
  | 'settings'
  | 'cache-adapter'
  | 'cache-settings'
  | 'storage-settings'
  | 'folder'
  | 'file'
  | 'taken'
  | 'database'
  | 'connection'

/** `altering`: the caller may not make the change. */
export type ModelProblem =
  | 'collection-exists'
  | 'field-exists'
  | 'unknown-type'
  | 'length-missing'
  | 'length-unsupported'
  | 'unmanaged'
  | 'altering'
  | 'contradictory'

/** `transport`: it is not there. `options`: it refuses its settings. `server`: it cannot be reached. */
export type MailProblem = 'transport' | 'options' | 'server'

/** `several`: more than one file. `stopped`: refused by the database of the operator. */
export type UploadProblem =
  | 'several'
  | 'missing'
  | 'too-large'
  | 'beyond-form'
  | 'incomplete'
  | 'no-folder'
  | 'not-written'
  | 'stopped'
  | 'unknown'

export type ErrorKind = Failure['kind']

/** The right that the request needs on a collection or a field, whether or not they exist. */
export type Denied = {
  readonly action: Action
  readonly collection: string
  readonly field?: string
  /** The field was named in a condition, or a path leads from it to rows that the caller may not read. */
  readonly related?: true
  /** The right covers the caller's own items, but the collection does not record owners. */
  readonly unowned?: true
}

/** The validation rule that a value violates. */
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

/** The only error that is thrown deliberately. Several failures in one error become several entries in the response. */
export class TandemError extends Error {
  readonly failures: readonly [Failure, ...Failure[]]
  /** The position of the operation of a batch that failed; null outside of batches. */
  readonly operation: number | null

  constructor(
    failure: Failure | readonly [Failure, ...Failure[]],
    options?: { readonly cause?: unknown; readonly operation?: number },
  ) {
    const failures = (Array.isArray(failure) ? failure : [failure]) as readonly [Failure, ...Failure[]]
    super(failures.map((each) => each.kind).join(', '), options)
    this.name = 'TandemError'
    this.failures = failures
    this.operation = options?.operation ?? null
  }
}

/** An invalid request body. `name`: the part at fault; null = the whole body. */
export const invalidPayload = (name: string | null, reason: string, cause?: unknown): TandemError =>
  new TandemError(
    { kind: 'invalid-payload', ...(name === null ? {} : { name }), reason },
    cause === undefined ? {} : { cause },
  )

/** A parameter cannot be used. */
export const invalidQuery = (name: string, reason: string, cause?: unknown): TandemError =>
  new TandemError({ kind: 'invalid-query', name, reason }, cause === undefined ? {} : { cause })
