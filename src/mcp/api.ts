/** What the tools need: the operations of one caller, and the way to run them. */
import type { Operation, OperationIndex } from './operations.ts'

type Values = { readonly [name: string]: unknown }

/** The values of one call: of the path and of the query string, by name, and the body. */
export type Call = {
  readonly path: Values
  readonly query: Values
  readonly body?: unknown
  /** Tags that the item may have, as in the header `If-Match`. */
  readonly ifMatch?: string
  /** Undo the write at the end, and answer what it would have answered. */
  readonly dryRun: boolean
}

/** `text`: the body as JSON; null = none. Errors of the API have a status over 399. Names of headers are in lower case. */
export type Answer = {
  readonly status: number
  readonly text: string | null
  readonly headers?: { readonly [name: string]: string }
}

export type Api = {
  readonly operations: () => Promise<OperationIndex>
  /** `agent`: name and version of the client, as the activity log shows them; null if the client did not say. */
  readonly run: (operation: Operation, call: Call, agent: string | null) => Promise<Answer>
}
