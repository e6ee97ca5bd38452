import type { PlanEstimate } from '../dialect.ts'

type Table = { readonly rows?: number; readonly filtered?: number }
type Block = {
  readonly cost?: number
  readonly table?: Table
  readonly nested_loop?: readonly { readonly table?: Table }[]
}

/** A statement that reads no more rows is cheap. */
export const fewRows = 10_000

/** The server estimates no rows of a whole statement, so it has them only if the statement reads one table. */
export function estimateOf(plan: unknown): PlanEstimate {
  const block = (plan as { readonly query_block?: Block } | undefined)?.query_block
  const parts = block?.nested_loop ?? (block?.table === undefined ? [] : [{ table: block.table }])
  const [table] = parts.map((part) => part.table)
  const cost = block?.cost ?? null
  if (parts.length !== 1 || table?.rows === undefined) return { cost, rows: null, isCheap: false }
  return { cost, rows: Math.round((table.rows * (table.filtered ?? 100)) / 100), isCheap: table.rows <= fewRows }
}
