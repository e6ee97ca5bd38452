/** Reads any number of rows with constant memory: one statement and one snapshot, through a cursor. */

import { parseExactly } from '../../domain/conditions/exact-numbers.ts'
import { estimateCells } from '../../domain/conditions/query-cells.ts'
import type { Database, Ids, ReadContext } from '../../domain/ports/context.ts'
import type { PageSink, Row } from '../../domain/ports/row-store.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Authorized } from '../../domain/rights/authorized.ts'
import type { TextRow } from '../compile/columns.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { quoteName } from '../dialects/quoting.ts'
import { prepareEach } from './prepare.ts'
import { joinTexts } from './read.ts'

/** Approximate length of a page in characters. Pages of wide rows have fewer rows. */
const pageCharacters = 65_536
const firstPage = 50
const largestPage = 2000

/**
 * Passes on the rows page by page. If `onPage` rejects, the cursor is closed. On the embedded database, whose
 * statements share one session, the cursor outlives its transaction, so that other statements can run between pages.
 */
export async function readPages(
  ctx: Omit<ReadContext, 'rows' | 'limits' | 'usage'> & { readonly ids: Pick<Ids, 'uuid'> },
  query: Authorized<Query>,
  onPage: PageSink,
): Promise<void> {
  const { db, schema, view, actor, clock } = ctx
  ctx.allowance?.spend(estimateCells(schema, query).cells)
  const { text, columns, values } = prepareEach(query, { schema, view, dialect: db.dialect, actor, clock })
  const toJson = (rows: readonly unknown[]): string => `[${joinTexts(columns, rows as readonly TextRow[])}]`
  if (db.stream !== undefined) {
    return db.stream({ text, values, rows: 'array' }, (rows) => onPage(toPage(toJson(rows))))
  }
  const dialect = dialectOf(db)
  const cursor = quoteName(`rows-${ctx.ids.uuid()}`)
  const declare = (hold: string) => ({ text: `declare ${cursor} no scroll cursor ${hold} for ${text}`, values })
  const fetchAll = (from: Database) =>
    fetchPages(from, cursor, async (rows) => {
      const json = toJson(rows)
      await onPage(toPage(json))
      return json.length
    })
  if (!dialect.oneSession) {
    return db.transaction(async (inner) => {
      await inner.run(declare(''))
      await fetchAll(inner)
    })
  }
  await db.run(declare('with hold'))
  try {
    await fetchAll(db)
  } finally {
    await db.run({ text: `close ${cursor}`, values: [] })
  }
}

const toPage = (json: string) => parseExactly(json) as readonly Row[]

async function fetchPages(
  db: Database,
  cursor: string,
  take: (rows: readonly unknown[]) => Promise<number>,
): Promise<void> {
  for (let size = firstPage; ; ) {
    const { rows } = await db.run({ text: `fetch ${size} from ${cursor}`, values: [], rows: 'array' })
    if (rows.length === 0) return
    const characters = await take(rows)
    if (rows.length < size) return
    size = Math.min(largestPage, Math.max(1, Math.floor((rows.length * pageCharacters) / characters)))
  }
}
