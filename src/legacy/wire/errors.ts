/** Maps errors to the numeric codes of this generation. */

import type { Denied, Failure, TandemError } from '../../domain/rights/errors.ts'
import { shownCollection } from '../model/collection-names.ts'
import { deleteCookie, type TokenSources } from './credentials.ts'
import { errors, type WireError, wire } from './error-rows.ts'

/** An unexpected error reveals nothing. */
const fault = wire(500, 0, 'Internal Server Error')

const modelFault = wire(500, 400, 'Unknown Error')

/** A statement that failed in an unknown way. */
const statementFault = wire(500, 9, 'Failed generating the SQL query')

const ofModel = /^\/[^/]+\/(collections|fields|relations)(\/|$)/

/**
 * The body for an error; null stands for an unexpected one, `isOfDatabase` for one of the database. Several failures
 * share the code of the first.
 */
export function toErrorBody(
  error: TandemError | null,
  request: TokenSources,
  isOfDatabase = false,
): { readonly status: number; readonly body: object; readonly headers: { readonly [name: string]: string } } {
  const failures = error?.failures ?? []
  const answers = failures.map(toWire)
  const own = ownCode(request.path, failures[0])
  const unexpected = ofModel.test(request.path) ? modelFault : isOfDatabase ? statementFault : fault
  const { status, code } = own ?? answers[0] ?? unexpected
  const message =
    own?.message ??
    (answers.length === 0 ? unexpected.message : [...new Set(answers.map((each) => each.message))].join(' '))
  const position = error === null || error.operation === null ? {} : { operation: error.operation }
  return { status, body: { error: { code, message, ...position } }, headers: headersFor(failures, request, code) }
}

/** Headers: the retry time, and the deletion of an invalid cookie. */
function headersFor(
  failures: readonly Failure[],
  request: TokenSources,
  code: number,
): { readonly [name: string]: string } {
  const seconds = failures
    .map((failure) => ('retryAfter' in failure ? (failure.retryAfter ?? 0) : 0))
    .find((each) => each > 0)
  const ended = endedTokens.has(code) ? deleteCookie(request) : null
  return {
    ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }),
    ...(ended === null ? {} : { 'set-cookie': ended }),
  }
}

const endedTokens: ReadonlySet<number> = new Set([101, 102])

/** One failure in this generation's form. */
export function toWire(failure: Failure): WireError {
  return (errors[failure.kind] as (failure: Failure) => WireError)(failure)
}

/** Codes specific to login bodies and to tokens of mails. */
function ownCode(
  path: string,
  failure: Failure | undefined,
): (Omit<WireError, 'message'> & { message?: string }) | null {
  if (/\/auth\/authenticate\/?$/.test(path))
    return failure?.kind === 'invalid-payload' || failure?.kind === 'failed-validation'
      ? { status: 422, code: 114 }
      : null
  if (/\/auth\/sso\//.test(path)) return ssoCode(path, failure)
  if (/\/users\/invite\/?$/.test(path) && failure?.kind === 'forbidden')
    return wire(403, 10, 'Only administrators may invite users')
  if (forUsers.test(path) && failure?.kind === 'unauthenticated') return wire(401, 108, 'User not authenticated')
  if (/\/activity\/comment(\/[^/]+)?\/?$/.test(path)) return commentCode(failure)
  if (/\/users\/invite\/[^/]+\/?$/.test(path)) {
    if (failure?.kind === 'forbidden') return wire(401, 101, 'Invalid Authentication Token')
    // Used, or the account has changed since.
    const isOver = failure?.kind === 'invalid-payload' || failure?.kind === 'unauthenticated'
    return isOver ? wire(404, 106, 'User not found') : null
  }
  if (!/\/auth\/password\/reset(\/[^/]+)?\/?$/.test(path)) return null
  // A token of the server for another purpose cannot reset a password.
  if (failure?.kind === 'invalid-token' || failure?.kind === 'forbidden')
    return wire(401, 104, 'Invalid Reset Password token')
  const isOver = failure?.kind === 'token-expired' || failure?.kind === 'unauthenticated'
  // A token that was used, or whose account has changed since, counts as expired. The caller has no token of its own
  // that could be refused.
  return isOver ? wire(401, 105, 'Expired Reset Password token') : null
}

/** Request tokens have codes of their own, and a second factor cannot be given on the way to a provider. */
function ssoCode(path: string, failure: Failure | undefined): WireError | null {
  if (failure?.kind === 'missing-otp') return wire(400, 115, 'SSO is not allowed with 2FA enabled')
  if (failure?.kind === 'invalid-credentials' && failure.unknownEmail !== undefined)
    return wire(404, 107, `User with email "${failure.unknownEmail}" not found`)
  if (!/\/access_token\/?$/.test(path)) return null
  if (failure?.kind === 'token-expired') return wire(500, 110, 'Expired Request Token')
  return failure?.kind === 'invalid-token' ? wire(500, 109, 'Invalid Request Token') : null
}

const comments = {
  create: [210, 'Adding a comment to'],
  update: [211, 'Updating a comment of'],
  delete: [212, 'Deleting a comment of'],
} as const satisfies { readonly [Action in Denied['action']]?: readonly [code: number, words: string] }

/** The error of a comment that may not be written. */
function commentCode(failure: Failure | undefined): WireError | null {
  if (failure?.kind !== 'forbidden' || failure.denied === undefined) return null
  const { action, collection } = failure.denied
  if (action !== 'create' && action !== 'update' && action !== 'delete') return null
  const [code, words] = comments[action]
  return wire(403, code, `${words} "${shownCollection(collection)}" collection was denied`)
}

/** Paths that only users may ask: those that belong to no project, and mail. */
const forUsers = /^\/(?:types|interfaces|layouts|modules|pages|[^/]+\/(?:mail|interfaces|layouts|modules|pages))\/?$/
