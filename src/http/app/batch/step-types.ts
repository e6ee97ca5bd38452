import type { Step } from '../../../core/batch/run-batch.ts'
import type { Context } from '../../../domain/ports/context.ts'
import type { Route } from '../../../domain/ports/operation.ts'
import type { HttpRequest } from '../../request/request.ts'

export type BatchOperation = {
  readonly operation?: string | undefined
  readonly method?: string | undefined
  /** With the query string; `{name}` stands for a value of `parameters`. */
  readonly path?: string | undefined
  readonly parameters?: { readonly [name: string]: unknown } | undefined
  readonly query?: { readonly [name: string]: unknown } | undefined
  readonly body?: unknown
  readonly if_match?: string | undefined
  /** False: the body holds no references. */
  readonly references?: boolean | undefined
}

/** A whole request: its caller, and the values of its path. */
export type Whole = {
  readonly ctx: Context
  readonly request: HttpRequest
  readonly path: { readonly [name: string]: unknown }
  /** Which operations may be a step; absent = those that a transaction can undo. */
  readonly allows?: (route: Route) => boolean
}

/** Makes the steps. Throws for the first operation that cannot be right, before anything runs. */
export type ToSteps = (whole: Whole, operations: readonly BatchOperation[]) => Promise<readonly Step[]>
