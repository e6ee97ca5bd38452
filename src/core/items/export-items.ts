/** Exports items as text in a stream: few rows are in memory at a time. */
import { authorizeQuery } from '../../authz/authorize.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Query, Selection } from '../../domain/query/query.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { type RowFormat, rowFormats } from '../../exchange/formats.ts'
import type { Column } from '../../exchange/rows.ts'

/** An export: its media type, and the function that writes it. */
export type Export = {
  readonly type: string
  readonly produce: (write: (piece: string) => Promise<void>) => Promise<void>
}

/** Checks permissions immediately; the rows are read when the export is written. */
export function openExport(ctx: ReadContext & Pick<Context, 'ids'>, query: Query, format: RowFormat): Export {
  assertPage(ctx, query)
  const cost = { ...ctx.limits.cost, cells: null }
  const authorized = authorizeQuery({ ...ctx, limits: { ...ctx.limits, cost } }, { ...query, counts: [] })
  return {
    type: rowFormats[format],
    produce: (write) =>
      inExportTurn(async () => {
        const { openRows } = await import('../../exchange/rows.ts')
        const writer = openRows(format, columnsOf(authorized))
        await ctx.rows.readPages(ctx, authorized, (rows) => write(writer.page(rows)))
        await write(writer.end())
      }),
  }
}

/** The cost of an export is that of one page: it is read page by page. */
function assertPage(ctx: ReadContext, query: Query): void {
  const limit = Math.min(query.page.limit ?? usualPage, usualPage)
  authorizeQuery(ctx, { ...query, page: { ...query.page, limit }, counts: [] })
}

const usualPage = 1000

/** Limit of concurrent exports in this process: each uses a connection as long as its client reads. */
export const exportTurns = 4
let running = 0

/** Runs an export. Throws `unavailable` if the limit is reached. */
export async function inExportTurn(work: () => Promise<void>): Promise<void> {
  if (running >= exportTurns) {
    const reason = `${exportTurns} exports are being written`
    throw new TandemError({ kind: 'unavailable', service: 'export', reason, retryAfter: 5 })
  }
  running += 1
  try {
    await work()
  } finally {
    running -= 1
  }
}

/** The columns of a table. Nested objects become separate columns; lists and JSON stay in one. */
function columnsOf({ selection, aggregation }: Query): readonly Column[] {
  if (aggregation === null) return unique(columnsAt(selection, []))
  const groups = aggregation.group.map(({ key }) => [key])
  const values = aggregation.values.map(({ aggregate, field, key }) =>
    field === null ? [aggregate] : [aggregate, key],
  )
  return unique([...groups, ...values])
}

function columnsAt(selection: Selection, path: Column): readonly Column[] {
  return selection.flatMap((selected): readonly Column[] => {
    if (selected.kind === 'wildcard') throw new Error('Expected a selection without wildcards')
    const here = [...path, selected.key]
    if (selected.kind === 'one' || selected.kind === 'object') return columnsAt(selected.selection, here)
    if (selected.kind === 'any') {
      const shown = selected.options.filter(({ asKey }) => asKey !== true)
      return shown.flatMap(({ selection: inner }) => columnsAt(inner, here))
    }
    return [here]
  })
}

const unique = (columns: readonly Column[]): readonly Column[] => [
  ...new Map(columns.map((column) => [column.join('.'), column])).values(),
]
