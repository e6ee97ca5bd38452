import type { Sample } from './measure.ts'
export type Workload = {
  readonly name: string
  /** The user of the request to Tandem. */
  readonly as: 'admin' | 'editor'
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Parameters of the n-th request. Limit servers receive them as a JSON list. */
  readonly parameters: (n: number) => readonly (string | number)[]
  readonly path: (parameters: readonly (string | number)[]) => string
  readonly body?: (parameters: readonly (string | number)[]) => object
  /** `one`: `data` is an object; `many`: `data` is a list. */
  readonly answer: 'one' | 'many'
  readonly asRows: string
  readonly asJson: string
  /** Counts to return with the rows, in the columns `total_count` and `filter_count`. */
  readonly counts?: { readonly text: string; readonly parameters: readonly number[] }
  readonly requests: number
}

export type Results = ReadonlyMap<Workload, ReadonlyMap<string, readonly Sample[]>>
