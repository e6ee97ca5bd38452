/** Plans of MySQL in both versions of their JSON: up to 8.4 a block of tables, later a tree of steps. */
import type { PlanEstimate } from '../dialect.ts'
import { fewRows } from './estimate.ts'

type Table = { readonly rows_examined_per_scan?: number; readonly rows_produced_per_join?: number }
type Part = { readonly table?: Table }
type Block = Part & { readonly cost_info?: { readonly query_cost?: string }; readonly nested_loop?: readonly Part[] }
type Step = {
  readonly inputs?: readonly Step[]
  readonly table_name?: string
  readonly estimated_rows?: number
  readonly estimated_total_cost?: number
}

/** Rows are those of a statement that reads one table, as on MariaDB. */
export function estimateOf(plan: unknown): PlanEstimate {
  const { query_block: block, query_plan: root } = (plan ?? {}) as {
    readonly query_block?: Block
    readonly query_plan?: Step
  }
  if (root !== undefined) {
    const tables = tablesOf(root)
    const read = tables.length === 1 ? tables[0]?.estimated_rows : undefined
    return estimate(root.estimated_total_cost, read, root.estimated_rows)
  }
  const parts = block?.nested_loop ?? (block?.table === undefined ? [] : [block])
  const table = parts.length === 1 ? parts[0]?.table : undefined
  return estimate(block?.cost_info?.query_cost, table?.rows_examined_per_scan, table?.rows_produced_per_join)
}

const tablesOf = (step: Step): readonly Step[] =>
  step.table_name === undefined ? (step.inputs ?? []).flatMap(tablesOf) : [step]

function estimate(cost: number | string | undefined, read: number | undefined, rows: number | undefined): PlanEstimate {
  const total = cost === undefined ? null : Number(cost)
  if (read === undefined || rows === undefined) return { cost: total, rows: null, isCheap: false }
  return { cost: total, rows: Math.round(rows), isCheap: read <= fewRows }
}
