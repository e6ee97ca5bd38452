/** Content versions with their unpublished changes. */
import { type Delta, readVersionRow, replaceDelta } from '../../core/history/version-rows.ts'
import type { SourceRow } from '../../domain/ports/import-source.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { realName } from '../views/system-names.ts'
import type { Step } from './import-order.ts'
import { isSame } from './import-payload.ts'
import { authorHere, keyHere, relatedCollection, valueHere } from './import-references.ts'
import { createRowImporter, type RowImporter } from './import-rows.ts'
import { type Session, wordOf } from './session.ts'

/**
 * Writes versions, and then their changes where there are none yet. A version counts as made from the item as it was
 * imported, because the other server computes its hash of the item in another way.
 */
export async function createVersionImporter(session: Session, step: Step): Promise<RowImporter> {
  const take = await createRowImporter(session, step)
  return async (rows) => {
    await take(rows.map(({ hash: _hash, delta: _delta, ...row }) => row))
    for (const row of rows) if (isDelta(row['delta'])) await keep(session, row, row['delta'])
  }
}

const isDelta = (value: unknown): value is Delta =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

async function keep(session: Session, row: SourceRow, input: Delta): Promise<void> {
  const { ctx, options, reporting } = session
  const id = wordOf(row['id']).toLowerCase()
  const present = await readVersionRow(ctx, id)
  const collection = ctx.schema.collections.get(realName(wordOf(row['collection'])))
  if (present === undefined || collection === undefined) return
  const lost: string[] = []
  const delta = columnsOf({ session, lost }, collection, input)
  if (lost.length > 0)
    reporting.miss(`The version ${wordOf(row['key'])} of ${collection.name} ${present.item} has no ${lost.join(', ')}`)
  const isWished = options.update ? !isSame(delta, present.delta) : present.delta === null
  if (!isWished) return
  const now = new Date(wordOf(row['date_updated'] ?? row['date_created'] ?? ctx.clock().toISOString()))
  const user = authorHere(session, row['user_updated'] ?? row['user_created'])
  try {
    await replaceDelta(ctx, { id, delta, now, user })
  } catch (error) {
    reporting.lose('platform_versions', id, error)
  }
}

type MappedVersion = { readonly session: Session; readonly lost: string[] }

/** Values of columns and changes of related items. Unknown fields are left out, and so are secrets. */
function columnsOf(version: MappedVersion, collection: Collection, delta: Delta, path = ''): Delta {
  const entries = Object.entries(delta).flatMap(([name, value]) => {
    const field = collection.fields.get(name)
    const isSecret = field?.concealed === true || field?.special.includes('hash') === true
    if (field === undefined || isSecret || (field.column === null && field.relation === null)) {
      version.lost.push(path + name)
      return []
    }
    if (name === collection.primaryKey) return [[name, keyHere(version.session, collection.name, value)]]
    const target = relatedCollection(version.session, { row: delta, field, collection })
    const isNested = target !== null && typeof value === 'object' && value !== null
    if (isNested) return [[name, relatedHere(version, target, value, `${path}${name}.`)]]
    return [[name, valueHere(version.session, { row: delta, field, collection })]]
  })
  return Object.fromEntries(entries) as Delta
}

/** A related item, a list of items or of their keys, or `{create, update, delete}`. */
function relatedHere(version: MappedVersion, target: Collection, value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((each) => relatedHere(version, target, each, path))
  if (typeof value !== 'object' || value === null) return keyHere(version.session, target.name, value)
  if (!isDetail(value)) return columnsOf(version, target, value as Delta, path)
  return Object.fromEntries(
    Object.entries(value).map(([name, items]) => [name, relatedHere(version, target, items, path)]),
  )
}

const isDetail = (value: object): boolean => {
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => details.has(name) && Array.isArray(Reflect.get(value, name)))
}

const details: ReadonlySet<string> = new Set(['create', 'update', 'delete'])
