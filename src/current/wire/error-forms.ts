/** Forms of errors that several kinds share. */
import type { ErrorKind, Failure } from '../../domain/rights/errors.ts'

export type FailureOf<Kind extends ErrorKind> = Extract<Failure, { readonly kind: Kind }>

/** How one kind of error is reported: HTTP status, code, message and further properties. */
export type Row<Kind extends ErrorKind> = {
  readonly status: number
  readonly code: string
  readonly message: (failure: FailureOf<Kind>) => string
  readonly more?: (failure: FailureOf<Kind>) => object
}

type Column = { readonly collection: string | null; readonly field: string | null }

export const atColumn = ({ collection, field }: Column): string =>
  `${field === null ? '' : ` for field "${field}"`}${collection === null ? '' : ` in collection "${collection}"`}`

const column = ({ collection, field }: Column): object => ({ collection, field })

type RefusedKey = FailureOf<'not-unique' | 'invalid-foreign-key'>

export const valueOf = ({ value }: RefusedKey): string => (value === undefined ? '' : ` "${value}"`)

export const refusedKey = ({ constraint, value, ...failure }: RefusedKey): object => ({
  ...column(failure),
  ...(constraint === undefined ? {} : { constraint }),
  ...(value === undefined ? {} : { value }),
})

export const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

/** Errors with a reason, which is both in the message, after `lead`, and a property of its own. */
export const explained = <F>(status: number, code: string, lead: string, reasonOf: (failure: F) => string) => ({
  status,
  code,
  message: (failure: F) => `${lead}. ${sentence(reasonOf(failure))}`,
  more: (failure: F) => ({ reason: reasonOf(failure) }),
})

type Reasoned = { readonly reason: string }

export const unprocessable = <F>(reasonOf: (failure: F) => string) =>
  explained(422, 'UNPROCESSABLE_CONTENT', "Can't process content", reasonOf)

export const invalidPayload = <F>(reasonOf: (failure: F) => string) =>
  explained(400, 'INVALID_PAYLOAD', 'Invalid payload', reasonOf)

export const conflict = <F>(reasonOf: (failure: F) => string) =>
  explained(409, 'CONFLICT', 'The request conflicts with the current state', reasonOf)

/** A value that its column does not take. */
export const ofColumn = (code: string, message: (column: string) => string) => ({
  status: 400,
  code,
  message: (failure: Column) => message(atColumn(failure)),
  more: column,
})

/** A service, named by the failure or fixed, that does not work. */
export const outOfService = (fixed?: string) => ({
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  message: ({ service = fixed, reason }: Reasoned & { readonly service?: string }) =>
    `Service "${service}" is unavailable. ${sentence(reason)}`,
  more: ({ service = fixed, reason }: Reasoned & { readonly service?: string }) => ({ service, reason }),
})

export const reasonOf = ({ reason }: Reasoned): string => reason
