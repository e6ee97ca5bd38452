/** The history of writes: an activity entry for each row, and a revision unless the row was deleted. */
import type { Row, Write } from '../../domain/ports/row-store.ts'
import type { Journal, JournalEntry } from '../../domain/ports/write-log.ts'
import { exactCodec } from '../../domain/schema/core-view.ts'
import { holdsCredentials } from '../../domain/schema/credentials.ts'
import { numberedBy } from '../../domain/schema/identity.ts'
import { keyOfRow } from '../../domain/schema/row-keys.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import {
  type Build,
  bind,
  boundValues,
  collectionOf,
  columnType,
  createBuild,
  numberedKeyText,
  tableName,
} from '../conditions/build.ts'
import type { Entry, HistoryText, WriteText } from '../dialects/dialect.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { quoteName, quoteText } from '../dialects/quoting.ts'
import { writeName } from '../shapes/names.ts'
import { type Author, actions, type Sent, type WriteContext } from './writes.ts'

/** The name of the write in the activity. */
export function actionOf({ request }: Pick<Author, 'request'>, { kind, collection }: Write): string {
  const action = actions[kind]
  const renamed = request.history?.renamed
  return renamed?.collection === collection.name && renamed.from === action ? renamed.to : action
}

/** History records writes of users, unless the collection or the client opts out. */
function leavesHistory({ actor, request }: Author, write: Write): boolean {
  if (actor.kind !== 'user' || request.history?.skip === true) return false
  if (write.collection.accountability === null) return false
  if (write.kind === 'insert' || write.kind === 'delete') return true
  return write.columns.length > 0 || (write.touches ?? false)
}

/** Deletions have no revision. */
const leavesRevisions = ({ kind, collection }: Write): boolean =>
  kind !== 'delete' && collection.accountability === 'all'

/** The history part of a write statement. Null if the write leaves no history, or if a journal collects it. */
export function historyText(build: Build, sent: Sent): HistoryText | null {
  const { write, author, journal } = sent
  if (journal !== null || !leavesHistory(author, write)) return null
  return {
    ...historyTables(build, sent),
    action: quoteText(actionOf(author, write)),
    collection: quoteText(write.collection.name),
    revision: leavesRevisions(write)
      ? {
          delta: bind(build, sent, ({ write }: Sent) => deltaText(write)),
          columns: (row) => historyColumns(build, write.collection, row),
        }
      : null,
  }
}

type Authored = Pick<Sent, 'author'>

/** The history tables, and the values that all entries of a request share. */
function historyTables(build: Build, sent: Authored): Pick<HistoryText, 'activity' | 'revisions' | 'values'> {
  const bound = (read: (author: Author) => unknown) => bind(build, sent, (each: Authored) => read(each.author))
  const table = (name: string) => tableName(collectionOf(build.schema, name))
  return {
    activity: table('platform_activity'),
    revisions: table('platform_revisions'),
    values: {
      user: bound(({ actor }) => (actor.kind === 'user' ? actor.user : null)),
      timestamp: bound(({ clock }) => clock().toISOString()),
      ip: bound(({ request }) => request.ip),
      userAgent: bound(({ request }) => request.userAgent),
      origin: bound(({ request }) => request.origin),
      comment: bound(({ request }) => request.history?.comment ?? null),
    },
  }
}

/** The columns that a statement returns for the journal; null if the write leaves no history or there is no journal. */
export function journalText(build: Build, { write, author, journal }: Sent): WriteText['journal'] {
  if (journal === null || !leavesHistory(author, write)) return null
  return { data: leavesRevisions(write) ? (row) => historyColumns(build, write.collection, row) : null }
}

/** Adds the result of a statement to the journal: rows of key, name and data. */
export function noteInJournal({ write, author, journal }: Sent, rows: readonly (readonly (string | null)[])[]): void {
  if (journal === null || !leavesHistory(author, write)) return
  const deltaOf = deltas(write)
  for (const [index, [key, item, data]] of rows.entries()) {
    if (key == null || item == null) throw new Error('The row of a journal must have a key')
    journal.push({
      action: actionOf(author, write),
      collection: write.collection.name,
      key,
      item,
      revision: data == null ? null : { data, delta: JSON.stringify(deltaOf(key, index)) },
    })
  }
}

/** Finds the delta of a row by its key or its position. */
function deltas(write: Write): (key: string, index: number) => Row | undefined {
  switch (write.kind) {
    case 'insert':
      return (_key, index) => write.deltas[index]
    case 'update':
      return () => write.delta
    case 'update-each': {
      const byKey = new Map(keyed(write).map(({ item, delta }) => [item, delta]))
      return (key) => byKey.get(key)
    }
    case 'delete':
      return () => undefined
  }
}

/**
 * Writes the journal. `parents`: from the position of an entry to the position of its parent entry.
 */
export async function writeJournal(
  ctx: WriteContext,
  journal: Journal,
  parents: ReadonlyMap<number, number>,
): Promise<void> {
  if (journal.length === 0) return
  const dialect = dialectOf(ctx.db)
  const build = createBuild({ schema: ctx.schema, view: ctx.view, dialect })
  const parentOf = (index: number): number | null => (parents.has(index) ? Number(parents.get(index)) + 1 : null)
  const partsOf = ({ action, collection, item, revision }: JournalEntry, index: number) => ({
    action,
    collection,
    item,
    data: revision?.data ?? null,
    delta: revision?.delta ?? null,
    parent: parentOf(index),
  })
  type Part = keyof ReturnType<typeof partsOf>
  const list = (part: Part) => bind(build, journal, (each) => each.map((entry, index) => partsOf(entry, index)[part]))
  const text = dialect.writes.history({
    lists: () => ({
      action: list('action'),
      collection: list('collection'),
      item: list('item'),
      data: list('data'),
      delta: list('delta'),
      parent: list('parent'),
    }),
    rows: () => bind(build, journal, (each) => JSON.stringify(each.map(partsOf))),
    hasParents: parents.size > 0,
    tables: () => historyTables(build, { author: ctx }),
  })
  await ctx.db.runLast({ text, values: boundValues(build, ctx), ...writeName(dialect, text), rows: 'array' })
}

function deltaText(write: Write): string {
  switch (write.kind) {
    case 'insert':
      return JSON.stringify(write.deltas)
    case 'update':
      return JSON.stringify(write.delta)
    case 'update-each':
      return JSON.stringify(keyed(write))
    case 'delete':
      return ''
  }
}

function keyed({ collection, rows, deltas }: Extract<Write, { kind: 'update-each' }>) {
  return deltas.map((delta, index) => ({ item: keyOfRow(collection, rows[index] ?? {}), delta }))
}

/** The whole row for history: exact values in the form that writes accept, without secrets. */
function historyColumns(build: Build, collection: Collection, row: string): readonly Entry[] {
  const { dialect } = build
  return [...collection.fields.values()].flatMap((field) => {
    if (field.column === null || holdsCredentials(collection.name, field.name)) return []
    const column = `${row}.${quoteName(field.column.name)}`
    const identity = numberedBy(field)
    const expression = identity === null ? column : numberedKeyText(build, column, identity)
    const codec = exactCodec(field)
    return [{ ...dialect.codec(codec, expression, { ...columnType(field), isExact: true }), key: field.name }]
  })
}
