/** Answers authorized queries. */
import type { MatchedRow, ReadResult } from '../../../src/domain/ports/row-store.ts'
import type { CountName, Query } from '../../../src/domain/query/query.ts'
import { hashText } from '../../../src/domain/schema/hash-text.ts'
import type { Env } from './env.ts'
import { isTrue, matches } from './filter.ts'
import { collectionOf, type Level } from './links.ts'
import { isShown, pageOf, rowsFor } from './page.ts'
import { rowsOf, selected } from './select.ts'
import { plain, toStored } from './stored.ts'
import type { StoredRow } from './tables.ts'

export function read(env: Env, query: Query): ReadResult {
  const collection = collectionOf(env.schema, query.collection)
  const levels = env.tables.all(query.collection).map((row) => withOverlay({ collection, row }, query))
  if (query.tag !== undefined) return tagged(env, levels, query, query.tag)
  const rows = rowsOf(env, levels, query, null)
  const counts = Object.fromEntries(query.counts.map((name) => [name, count(env, levels, query, name)]))
  return { pieces: [JSON.stringify(rows)], rowCount: rows.length, counts }
}

/** Those of the given rows, which are stored rows as JSON, that match. */
export function judge(env: Env, { given, ...query }: Query): readonly MatchedRow[] {
  const collection = collectionOf(env.schema, query.collection)
  return (given?.rows ?? []).flatMap((text, position) => {
    const [row] = rowsOf(env, [{ collection, row: JSON.parse(text) as StoredRow }], query, null)
    return row === undefined ? [] : [{ position, json: JSON.stringify(row) }]
  })
}

function tagged(env: Env, levels: readonly Level[], query: Query, tag: NonNullable<Query['tag']>): ReadResult {
  const [first] = pageOf(env, levels, query, null)
  if (first === undefined) return { pieces: ['[]'], rowCount: 0, counts: {} }
  const row = selected(env, first, query.selection)
  const text = JSON.stringify(selected(env, first, tag))
  return { pieces: [JSON.stringify([row])], rowCount: 1, counts: {}, tag: hashText(text) }
}

function count(env: Env, levels: readonly Level[], query: Query, name: CountName): number {
  if (name !== 'total') return rowsFor(env, levels, query).length
  const { rows } = query
  return levels.filter((level) => isShown(level, query) && (rows === undefined || isTrue(matches(env, level, rows))))
    .length
}

function withOverlay(level: Level, { overlay }: Query): Level {
  const { collection, row } = level
  if (overlay === undefined || plain(row[collection.primaryKey]) !== plain(overlay.key)) return level
  const changed = [...collection.fields.values()].flatMap((field) =>
    field.column !== null && Object.hasOwn(overlay.row, field.column.name)
      ? [[field.column.name, toStored(field, overlay.row[field.column.name])] as const]
      : [],
  )
  return { collection, row: { ...row, ...Object.fromEntries(changed) } }
}
