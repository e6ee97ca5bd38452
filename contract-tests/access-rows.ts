/** The rows of the access matrix that many operations share. */
import type { Answer } from '../verify/src/http/exchange.ts'

/** `yes`: 2xx or a redirect; `who`: 401; `no`: rejected for this user (403, or 404 for what is not visible). */
export type Outcome = 'yes' | 'who' | 'no'

/** One letter per kind of user, in the order of `userKinds`. */
export type Row = readonly [public_: Outcome, nobody: Outcome, writer: Outcome, editor: Outcome, admin: Outcome]

export const everybody: Row = ['yes', 'yes', 'yes', 'yes', 'yes']
export const users: Row = ['who', 'yes', 'yes', 'yes', 'yes']
export const readers: Row = ['no', 'no', 'no', 'yes', 'yes']
export const identified: Row = ['no', 'yes', 'yes', 'yes', 'yes']
export const blindWriters: Row = ['no', 'no', 'yes', 'no', 'yes']
export const writers: Row = ['no', 'no', 'yes', 'yes', 'yes']
export const administrators: Row = ['no', 'no', 'no', 'no', 'yes']

/** They need the token of the operator, which users do not have. */
export const nobody: Row = ['who', 'who', 'who', 'who', 'who']

/** The legacy generation responds with 401 to requests without a token. */
export const named = ([, ...rest]: Row): Row => ['who', ...rest]

export const allNamed = <Id extends string>(rows: Readonly<Record<Id, Row>>): Readonly<Record<Id, Row>> =>
  Object.fromEntries(Object.entries<Row>(rows).map(([id, row]) => [id, named(row)])) as Record<Id, Row>

type RecordOperation<One extends string, Many extends string> =
  | `${'read' | 'update' | 'delete'}${One}`
  | `${'read' | 'create' | 'update' | 'delete'}${Many}`

/** The operations of records that readers read, blind writers write and only administrators delete. */
export const records = <One extends string, Many extends string>(one: One, many: Many) =>
  ({
    [`read${many}`]: readers,
    [`read${one}`]: readers,
    [`create${many}`]: blindWriters,
    [`update${many}`]: blindWriters,
    [`update${one}`]: blindWriters,
    [`delete${many}`]: administrators,
    [`delete${one}`]: administrators,
  }) as Readonly<Record<RecordOperation<One, Many>, Row>>

/** The same in the legacy generation, which deletes records one by one. */
export const legacyRecords = <One extends string, Many extends string>(one: One, many: Many) =>
  ({
    [`read${many}`]: named(readers),
    [`read${one}`]: named(readers),
    [`create${many}`]: named(blindWriters),
    [`update${many}`]: named(blindWriters),
    [`update${one}`]: named(blindWriters),
    [`delete${one}`]: administrators,
  }) as Readonly<Record<Exclude<RecordOperation<One, Many>, `delete${Many}`>, Row>>

/** Logins by providers, in both generations. */
export const providerLogins = {
  beginProviderLogin: everybody,
  loginByProvider: everybody,
  finishProviderLogin: everybody,
  finishProviderLoginByForm: everybody,
} as const

/** What identity providers use in the current generation. */
export const provided = {
  ...providerLogins,
  finishSamlLogin: everybody,
  readProviderMetadata: everybody,
  beginSamlLogout: everybody,
  finishSamlLogout: everybody,
  finishSamlLogoutByForm: everybody,
  finishProviderLogout: everybody,
} as const

/** What identity providers write and read by SCIM. */
export const scim = {
  readScimUsers: readers,
  createScimUser: administrators,
  readScimUser: readers,
  replaceScimUser: blindWriters,
  updateScimUser: blindWriters,
  deleteScimUser: blindWriters,
  readScimGroups: readers,
  createScimGroup: blindWriters,
  readScimGroup: readers,
  replaceScimGroup: blindWriters,
  updateScimGroup: blindWriters,
  deleteScimGroup: administrators,
  readScimConfig: readers,
  readScimResourceTypes: readers,
  readScimResourceType: readers,
  readScimSchemas: readers,
  readScimSchema: readers,
} as const

/** The outcome of a response; other statuses stay numbers. In GraphQL the schema lacks what the caller may not read. */
export function outcomeOf({ status, text }: Answer): Outcome | number {
  if (status >= 200 && status < 400) return 'yes'
  if (status === 401) return 'who'
  if (status === 400 && text.includes('"GRAPHQL_VALIDATION"')) return 'no'
  return status === 403 || status === 404 ? 'no' : status
}

/** What tools of administrators do with the whole project. */
export const forTools = {
  importCollections: writers,
  readSyncKeys: administrators,
  readSyncKey: administrators,
  createSyncKey: administrators,
  deleteSyncKey: administrators,
  readConfiguration: administrators,
  compareConfiguration: administrators,
  applyConfiguration: administrators,
  readUsage: administrators,
} as const satisfies Record<string, Row>
