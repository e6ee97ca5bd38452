/** Items as text of a format, written while they are read: however many there are, few are held at a time. */
import { authorizeQuery } from '../authz/authorize.ts'
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Query, Selection } from '../domain/query.ts'
import { type RowFormat, rowFormats } from '../exchange/formats.ts'
import type { Column, Rows } from '../exchange/rows.ts'
import { readPages } from '../sql/read-pages.ts'

/** A text in the making: its media type, and how to have it written. */
export type Export = {
  readonly type: string
  readonly produce: (write: (piece: string) => Promise<void>) => Promise<void>
}

/** Rights are decided here and now; the rows are read when the text is wanted. */
export function openExport(ctx: Context, query: Query, format: RowFormat): Export {
  const authorized = authorizeQuery(ctx, { ...query, counts: [] })
  return {
    type: rowFormats[format],
    produce: (write) =>
      inExportTurn(async () => {
        const { openRows } = await import('../exchange/rows.ts')
        const writer = openRows(format, columnsOf(authorized))
        await readPages(ctx, authorized, (json) => write(writer.page(JSON.parse(json) as Rows)))
        await write(writer.end())
      }),
  }
}

/** Exports of this process at once: each holds a connection for as long as its client takes. */
export const exportTurns = 4
let running = 0

/** Does the work of an export; throws `unavailable` when as many as may are being written. */
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

/** Nested objects become columns of their own; what has no fixed keys (lists, JSON) stays in one. */
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
    if (selected.kind === 'wildcard') throw new Error('A wildcard is expanded by authorize')
    const here = [...path, selected.key]
    if (selected.kind === 'one') return columnsAt(selected.selection, here)
    if (selected.kind === 'any') return selected.options.flatMap((option) => columnsAt(option.selection, here))
    return [here]
  })
}

const unique = (columns: readonly Column[]): readonly Column[] => [
  ...new Map(columns.map((column) => [column.join('.'), column])).values(),
]
