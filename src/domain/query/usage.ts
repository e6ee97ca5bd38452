/** Counted use of operations and fields by clients. */
import type { Mutation } from './mutation.ts'
import type { Query } from './query.ts'

/** What is done with the rows that a path leads to; `call` counts the operation itself. */
export type UsedAs = 'call' | 'read' | 'create' | 'update' | 'delete'

/** Counts what one request uses. Only names of collections and fields are counted, never values. */
export type RequestUsage = {
  readonly read: (query: Query) => void
  readonly write: (mutation: Mutation) => void
  /** The answer of this request is cached under the key. */
  readonly made: (key: string) => void
  /** The request gets the answer cached under the key; its usage is that of the request that produced it. */
  readonly onKey: (key: string) => void
}

/** One counted use. Times in ISO 8601. */
export type UsageCount = {
  /** Name and version of the program, such as `shop-frontend 2.3`. */
  readonly client: string
  readonly generation: string
  readonly operation: string
  readonly access: UsedAs
  /** Names of a collection and of fields, joined by dots; empty for a call. */
  readonly path: string
  readonly calls: number
  readonly first: string
  readonly last: string
}
