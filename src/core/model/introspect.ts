/**
 * `tandem introspect`: registers the constraints of an existing database as metadata. Collections get a row. The one
 * side of each foreign key gets an alias field, and so do both sides of a junction table. Existing metadata is kept.
 */
import type { Database } from '../../domain/ports/context.ts'
import { manyColumnsOf } from '../../domain/schema/references.ts'
import type { Collection, Relation, Schema, Unserved } from '../../domain/schema/schema.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import { lockRelations } from '../../sql/statements/locks.ts'
import { insertCollection, insertField, insertRelation } from '../../sql/statements/metadata.ts'
import { announce } from '../announcements.ts'

/** Rows to add. */
type MetadataPlan = {
  readonly collections: readonly string[]
  readonly relations: readonly PlannedRelation[]
}

type PlannedRelation = {
  readonly manyCollection: string
  readonly manyField: string
  readonly oneCollection: string
  /** The alias; null if the one side is a system collection. */
  readonly oneField: string | null
  /** Set if the many side is a junction table: its other foreign key. */
  readonly junctionField: string | null
  /** Target of the junction's other foreign key. */
  readonly through: string | null
}

/** Plans the registration. Pure; a second run on its own result plans nothing. */
function planMetadata(schema: Schema): MetadataPlan {
  const collections = [...schema.collections.values()].filter(isUserTable)
  const usedNames = new Map(collections.map((collection) => [collection.name, new Set(collection.fields.keys())]))
  const keys = schema.relations.filter(
    (relation) => relation.constraint !== null && isUserTable(schema.collections.get(relation.manyCollection)),
  )
  const relations: PlannedRelation[] = []
  for (const relation of keys) {
    const { id, manyCollection, manyField, oneCollection } = relation
    if (id !== null || oneCollection === null) continue
    const other = junctionPartner(schema, relation, keys)
    const oneField = chooseAlias(relation, other, keys, usedNames.get(oneCollection))
    relations.push({
      manyCollection,
      manyField,
      oneCollection,
      oneField,
      junctionField: other?.manyField ?? null,
      through: other?.oneCollection ?? null,
    })
  }
  const unmanaged = collections.filter((collection) => !collection.managed).map((collection) => collection.name)
  return { collections: unmanaged, relations }
}

const isUserTable = (collection: Collection | undefined): boolean =>
  collection !== undefined && !collection.system && collection.table !== null

/** Columns that a junction table may have besides its keys: a sort number and times. */
const bystander = /^(sort|position|order|ordering|rank|weight|(created|updated|added|date)_?(at|on|created|updated)?)$/

/** The other foreign key of a junction table; null if the table is not a junction. */
function junctionPartner(schema: Schema, relation: Relation, keys: readonly Relation[]): Relation | null {
  const table = schema.collections.get(relation.manyCollection) as Collection
  const own = keys.filter((each) => each.manyCollection === table.name)
  const rest = [...table.fields.values()].filter(
    ({ name, column }) =>
      column !== null && !isOnlyKey(table, name) && !own.some((each) => manyColumnsOf(each).includes(name)),
  )
  if (own.length !== 2 || !rest.every((field) => bystander.test(field.name))) return null
  // A table with a foreign key to itself is a tree.
  if (own.some((each) => each.oneCollection === table.name)) return null
  const [other] = own.filter((each) => each !== relation)
  return other === undefined || isKeyOfItself(table, own) ? null : other
}

const isOnlyKey = ({ keyColumns }: Collection, name: string): boolean =>
  keyColumns.length === 1 && keyColumns[0] === name

/** A table whose only key column is a foreign key extends another table and is not a junction. */
function isKeyOfItself(table: Collection, keys: readonly Relation[]): boolean {
  const primary = [...table.fields.values()].filter((field) => field.column?.primaryKey === true)
  return primary.length === 1 && keys.some((key) => key.manyField === primary[0]?.name)
}

/** The plural of the target's name, with the name of the key if there are several. */
function chooseAlias(
  relation: Relation,
  other: Relation | null,
  keys: readonly Relation[],
  usedNames: Set<string> | undefined,
): string | null {
  if (usedNames === undefined) return null
  const target = other?.oneCollection ?? relation.manyCollection
  const same = keys.filter(
    (each) => each.manyCollection === relation.manyCollection && each.oneCollection === relation.oneCollection,
  )
  const plain = plural(target)
  const byKey = `${plain}_by_${(other ?? relation).manyField.replace(/_?id$/i, '')}`
  const candidates = same.length > 1 ? [byKey] : [plain, `${plain}_of_${plural(relation.manyCollection)}`, byKey]
  const alias = firstFree(candidates, usedNames)
  usedNames.add(alias)
  return alias
}

function firstFree(candidates: readonly string[], usedNames: ReadonlySet<string>): string {
  const last = candidates.at(-1) as string
  for (const each of candidates.map(fitting)) if (!usedNames.has(each)) return each
  for (let number = 2; ; number++) {
    const each = `${last.slice(0, 60 - String(number).length)}_${number}`
    if (!usedNames.has(each)) return each
  }
}

const fitting = (name: string): string => name.slice(0, 63)

/** A readable English plural of a table name: `category` → `categories`, `artist` → `artists`. */
export function plural(name: string): string {
  if (/[^s]s$/i.test(name)) return name
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`
  return /(ss|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`
}

/** One line for each registered row, and for each table that cannot be served. */
export type Registered = { readonly done: readonly string[]; readonly unserved: readonly string[] }

const describeUnserved = ({ table, column, reason }: Unserved): string =>
  column === undefined ? `Not served: table ${table}, ${reason}` : `Not served: column ${table}.${column}, ${reason}`

/**
 * Registers what is missing, in one transaction, and reports each row in a line. The schema is loaded under a lock, so
 * that concurrent runs do not register twice.
 */
export function registerMetadata(db: Database, loadSchema: (db: Database) => Promise<Schema>): Promise<Registered> {
  return repeatedTransaction(db, async (inner) => {
    await lockRelations(inner)
    const schema = await loadSchema(inner)
    const plan = planMetadata(schema)
    for (const name of plan.collections) await insertCollection(inner, name)
    for (const relation of plan.relations) {
      await insertRelation(inner, relation)
      if (relation.oneField !== null) await insertField(inner, aliasOf(relation, relation.oneField))
    }
    // Columns that need no registration must become visible too.
    await announce(inner, 'schema')
    const done = [...plan.collections.map((name) => `Collection ${name}`), ...plan.relations.map(describeRelation)]
    return { done, unserved: schema.unserved.map(describeUnserved) }
  })
}

const aliasOf = ({ oneCollection: collection, junctionField }: PlannedRelation, field: string) =>
  junctionField === null
    ? { collection, field, special: 'o2m', display: 'list-o2m' }
    : { collection, field, special: 'm2m', display: 'list-m2m' }

function describeRelation(relation: PlannedRelation): string {
  const { manyCollection, manyField, oneCollection, oneField, through } = relation
  const key = `${manyCollection}.${manyField} → ${oneCollection}`
  if (oneField === null) return `Relation ${key}`
  const kind =
    through === null
      ? `one-to-many ${oneCollection}.${oneField}`
      : `many-to-many ${oneCollection}.${oneField} → ${through}`
  return `Relation ${key}, ${kind}${through === null ? '' : ` through ${manyCollection}`}`
}
