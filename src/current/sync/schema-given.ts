/** Normalizes a snapshot from a client: fills in what its entries omit and checks that it is complete. */
import { isDeepStrictEqual } from 'node:util'
import { isSystemName } from '../../domain/model/system-collections.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { shownDefault } from '../../domain/schema/default-value.ts'
import type { components } from '../../generated/current.ts'
import spec from '../../generated/current-spec.json' with { type: 'json' }
import { createSchemaCheck } from '../../http/validation/schema-check.ts'
import { collectionDefaults, fieldDefaults } from '../model/model-output.ts'
import {
  byAddress,
  type Entry,
  entryKey,
  isPartial,
  type Part,
  partialVersion,
  type Snapshot,
  snapshotVersion,
  usualRow,
  vendor,
  withSortedKeys,
} from './schema-snapshot.ts'

/** Throws `invalid-payload` with the reason. */
export function refuse(reason: string, name?: string): never {
  throw invalidPayload(name ?? null, reason)
}

/** Unknown formats are never read; other versions and vendors only with `force`. */
export function assertComparable(given: Snapshot, platform: string, force: boolean): void {
  if (given.version !== snapshotVersion && !isPartial(given)) {
    refuse(`Expected ${snapshotVersion} or ${partialVersion} for "version" but received ${given.version}`, 'version')
  }
  if (force) return
  const hint = 'give "force" to compare all the same'
  if (given.platform !== platform) {
    const received = JSON.stringify(given.platform.slice(0, 50))
    refuse(`Expected a snapshot of version "${platform}" but received one of ${received}; ${hint}`, 'platform')
  }
  if (given.vendor !== vendor) {
    const received = JSON.stringify((given.vendor ?? 'an unknown vendor').slice(0, 50))
    refuse(`Expected a snapshot of vendor "${vendor}" but received one of ${received}; ${hint}`, 'vendor')
  }
}

const check = createSchemaCheck(spec, 'SchemaSnapshot')

/** Parses a snapshot that does not come from a validated body. */
export function parseSnapshot(value: unknown): Snapshot {
  assertSnapshot(value)
  return value
}

/** Throws if a value does not match the spec of snapshots. */
export function assertSnapshot(value: unknown): asserts value is Snapshot {
  const wrong = check(value)
  if (wrong !== null) refuse(`Expected a snapshot but at "${wrong.location}": ${wrong.reason}`, wrong.location)
}

/** Fills in what entries omit: from `present`, or with defaults. */
export function completeSnapshot(given: Snapshot, present: Snapshot): Snapshot {
  const complete = <P extends Part>(part: P): Snapshot[P] => {
    const entryAt = new Map(present[part].map((entry): [string, Entry] => [entryKey(entry), entry]))
    const entries = given[part]
      .toSorted(byAddress)
      .map((entry) => withSortedKeys(completeEntry(part, entry, entryAt.get(entryKey(entry)))))
    return entries as Snapshot[P]
  }
  const { version, platform } = present
  const done = {
    version,
    platform,
    vendor,
    collections: complete('collections'),
    fields: complete('fields'),
    relations: complete('relations'),
  }
  assertWhole(done)
  return done
}

function completeEntry(part: Part, given: Entry, present: Entry | undefined): Entry {
  const entry: Entry = { ...(present ?? { meta: null }), ...withoutNullSchema(given) }
  const meta = completePart(part, 'meta', { given, present, entry })
  const schema = completePart(part, 'schema', { given, present, entry })
  assertNames(part, { ...entry, meta, schema })
  const { schema: _schema, ...rest } = entry
  const shown = { ...rest, meta: meta === null ? null : tidyMeta(part, meta) }
  return schema === null && part !== 'relations' ? shown : { ...shown, schema }
}

type GivenEntry = { readonly given: Entry; readonly present: Entry | undefined; readonly entry: Entry }

/** Null means "none"; an absent key means "unchanged". */
function completePart(part: Part, key: 'meta' | 'schema', { given, present, entry }: GivenEntry): Entry | null {
  const value = given[key] === undefined ? (present?.[key] ?? null) : given[key]
  if (value === null) return null
  const usual = defaultsOf[part][key](entry)
  const whole = { ...((present?.[key] ?? usual) as Entry), ...(value as Entry) }
  if (part === 'relations' && isOmitted(present?.[key], tidyMeta(part, whole), usual)) return null
  return part === 'fields' && key === 'schema' ? withShownDefault(whole, entry) : whole
}

/** A foreign key without a row of metadata is shown with the settings that it has: they ask for no row. */
const isOmitted = (present: unknown, given: Entry, usual: Entry): boolean =>
  present === null && isDeepStrictEqual(given, usual)

/** The default of a field that holds JSON or a list may come as its text. */
function withShownDefault(column: Entry, { type }: Entry): Entry {
  const { default_value: given } = column
  // A key that counts up has a default of the database's own.
  if (column['has_auto_increment'] === true) return { ...column, default_value: null }
  if ((type !== 'json' && type !== 'csv') || typeof given !== 'string') return column
  const stored = { dataType: 'text', defaultValue: given } as const
  return { ...column, default_value: shownDefault({ type, column: stored }) }
}

/** For a folder and an alias, null means the same as an absent key. */
function withoutNullSchema(entry: Entry): Entry {
  if (entry['schema'] !== null) return entry
  const { schema: _none, ...rest } = entry
  return rest
}

/** Drops the row's own key, the system flag and empty flag lists. */
function tidyMeta(part: Part, meta: Entry): Entry {
  const { id: _id, system: _system, ...rest } = meta
  const { special } = rest
  return part === 'fields' && Array.isArray(special) && special.length === 0 ? { ...rest, special: null } : rest
}

type Defaults = { readonly [Key in 'meta' | 'schema']: (entry: Entry) => Entry }

const defaultsOf: { readonly [P in Part]: Defaults } = {
  collections: {
    meta: ({ collection }) => ({ ...collectionDefaults, collection }),
    schema: ({ collection }) => ({ name: collection }),
  },
  fields: {
    meta: ({ collection, field }) => ({ ...fieldDefaults, special: null, collection, field }),
    schema: ({ collection, field, schema }) => ({
      ...columnDefaults,
      ...((schema as Entry)['is_primary_key'] === true ? { is_nullable: false, is_unique: true } : {}),
      name: field,
      table: collection,
    }),
  },
  relations: {
    meta: (entry) => usualRow(entry as Snapshot['relations'][number]),
    schema: ({ collection, field, related_collection: related }) => ({
      table: collection,
      column: field,
      foreign_key_table: related,
      on_update: 'NO ACTION',
      on_delete: 'NO ACTION',
    }),
  },
}

/** The columns of fields that say nothing else. */
export const columnDefaults: components['schemas']['ColumnSchema'] = {
  default_value: null,
  max_length: null,
  numeric_precision: null,
  numeric_scale: null,
  is_nullable: true,
  is_unique: false,
  is_indexed: false,
  is_primary_key: false,
  is_generated: false,
  generation_expression: null,
  has_auto_increment: false,
  foreign_key_table: null,
  foreign_key_column: null,
  comment: null,
}

/** Refuses duplicate entries and entries that refer to missing ones. */
function assertWhole(snapshot: Snapshot): void {
  const names = { collections: uniqueKeys(snapshot, 'collections'), fields: uniqueKeys(snapshot, 'fields') }
  uniqueKeys(snapshot, 'relations')
  for (const { collection, field } of snapshot.fields) {
    if (names.collections.has(collection) || isSystemName(collection)) continue
    refuse(`Expected field "${collection}.${field}" in a collection of the snapshot, where "${collection}" is not`)
  }
  for (const { collection, field } of snapshot.relations) {
    if (names.fields.has(`${collection}.${field}`)) continue
    refuse(`Expected a relation of a field of the snapshot, where "${collection}.${field}" is not`)
  }
}

function uniqueKeys(snapshot: Snapshot, part: Part): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const entry of snapshot[part]) {
    const key = entryKey(entry)
    if (keys.has(key)) refuse(`Expected "${key}" once in "${part}" but received it twice`, part)
    keys.add(key)
  }
  return keys
}

/** For each part of an entry: which key repeats which name. */
const repeated: { readonly [P in Part]: { readonly [Key in 'meta' | 'schema']: { readonly [key: string]: string } } } =
  {
    collections: { meta: { collection: 'collection' }, schema: { name: 'collection' } },
    fields: { meta: { collection: 'collection', field: 'field' }, schema: { table: 'collection', name: 'field' } },
    relations: {
      meta: { many_collection: 'collection', many_field: 'field', one_collection: 'related_collection' },
      schema: { table: 'collection', column: 'field', foreign_key_table: 'related_collection' },
    },
  }

/** Null is ignored. */
function assertNames(part: Part, entry: Entry): void {
  for (const key of ['meta', 'schema'] as const) {
    const values = entry[key] as Entry | null
    if (values === null) continue
    for (const [repeating, name] of Object.entries(repeated[part][key])) {
      const [expected = null, received = null] = [entry[name], values[repeating]]
      if (received === null || received === expected) continue
      const path = `${key}.${repeating}`
      const reason = `Expected ${JSON.stringify(expected)} for "${path}" of "${entryKey(entry as { collection: string })}" in "${part}" but received ${JSON.stringify(received)}`
      throw invalidPayload(part, reason)
    }
  }
}
