/** Parses rows of `platform_permissions` into rules. A row that cannot be parsed grants nothing. */

import { assertPathLeads } from '../domain/conditions/actor-paths.ts'
import { fitMoment, parseDynamicValue } from '../domain/conditions/dynamic-values.ts'
import { parseFilter } from '../domain/conditions/filter-json.ts'
import { describe, toLiteral } from '../domain/conditions/literals.ts'
import type { FieldType } from '../domain/query/field-types.ts'
import { type Filter, type Literal, matchAll, type Value } from '../domain/query/filter.ts'
import type { Action, Rule } from '../domain/rights/actor.ts'
import { invalidQuery, TandemError } from '../domain/rights/errors.ts'
import type { PermissionRow } from '../domain/rights/stored-rights.ts'
import type { Collection, Field, Schema } from '../domain/schema/schema.ts'

/** A permission row that is not used, or only in part. */
export type IgnoredPermission = { readonly id: number; readonly reason: string }

/** The rules of the permission rows, each with its row, and the rows that could not be fully used. */
export function toRules<Row extends PermissionRow>(
  rows: readonly Row[],
  schema: Schema,
): {
  readonly rules: readonly Rule[]
  readonly origins: ReadonlyMap<Rule, Row>
  readonly ignored: readonly IgnoredPermission[]
} {
  const origins = new Map<Rule, Row>()
  const ignored: IgnoredPermission[] = []
  for (const row of rows) {
    const ignore = (reason: string) => ignored.push({ id: row.id, reason })
    try {
      const rule = toRule(row, schema, ignore)
      if (rule !== null) origins.set(rule, row)
    } catch (error) {
      if (!(error instanceof TandemError)) throw error
      ignore(reasonOf(error))
    }
  }
  return { rules: [...origins.keys()], origins, ignored }
}

function reasonOf(error: TandemError): string {
  const [failure] = error.failures
  if (failure.kind === 'field-not-found')
    return `Field ${failure.field} of collection ${failure.collection} does not exist`
  return failure.kind === 'invalid-query' ? `${failure.name}: ${failure.reason}` : JSON.stringify(failure)
}

/** Validates a permission row: its names must exist and its conditions must be valid. Returns null for a valid row. */
export function faultOf(row: PermissionRow, schema: Schema): RuleFault | null {
  const collection = schema.collections.get(row.collection)
  if (collection === undefined) return missing('collection', 'the name of a collection', [row.collection])
  const isUnknown = (name: string): boolean => name !== '*' && name !== '' && !collection.fields.has(name)
  const fields = (row.fields ?? '').split(',').filter(isUnknown)
  if (fields.length > 0) return missing('fields', `fields of "${row.collection}"`, fields)
  for (const name of ['permissions', 'validation'] as const) {
    const fault = faultOfFilter(row[name], name, schema, collection)
    if (fault !== null) return fault
  }
  return faultOfPresets(row.presets, schema, collection)
}

/** `isUnknownName`: the row names something that does not exist. Only admins may learn that. */
export type RuleFault = { readonly name: string; readonly reason: string; readonly isUnknownName: boolean }

function missing(name: string, expected: string, received: readonly string[]): RuleFault {
  const words = received.map((each) => JSON.stringify(each)).join(', ')
  return { name, reason: `Expected ${expected} for "${name}" but received ${words}`, isUnknownName: true }
}

function faultOfFilter(
  json: unknown,
  name: 'permissions' | 'validation',
  schema: Schema,
  collection: Collection,
): RuleFault | null {
  return thrownBy(name, () => void toFilter(json, name, schema, collection))
}

function thrownBy(name: string, read: () => void): RuleFault | null {
  try {
    read()
    return null
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    const [failure] = error.failures
    if (failure.kind === 'invalid-query') return { name: failure.name, reason: failure.reason, isUnknownName: false }
    if (failure.kind === 'field-not-found') return missing(name, `fields of "${failure.collection}"`, [failure.field])
    if (failure.kind === 'collection-not-found') return missing(name, 'the name of a collection', [failure.collection])
    return { name, reason: `Expected a filter for "${name}" (${failure.kind})`, isUnknownName: false }
  }
}

function faultOfPresets(json: unknown, schema: Schema, { name: collection, fields }: Collection): RuleFault | null {
  if (json === null || json === undefined) return null
  if (typeof json !== 'object' || Array.isArray(json)) {
    return { name: 'presets', reason: 'Expected an object for "presets"', isUnknownName: false }
  }
  const unknown = Object.keys(json).filter((field) => !fields.has(field))
  if (unknown.length > 0) return missing('presets', `fields of "${collection}"`, unknown)
  return thrownBy('presets', () => {
    for (const [name, input] of Object.entries(json)) {
      const field = fields.get(name)
      const value = namedKey(input, field, schema)
      if (typeof value === 'string') assertPathLeads(toPreset(value, undefined) as Value, schema)
      assertFits(name, value, field)
    }
  })
}

const looseTypes: ReadonlySet<FieldType> = new Set(['json', 'csv', 'geometry', 'hash', 'binary', 'unknown'])

/** Throws `invalid-query` for a value that the field can never hold: every write with such a preset is refused. */
function assertFits(name: string, value: unknown, field: Field | undefined): void {
  if (field === undefined || field.column === null || looseTypes.has(field.type) || value === null) return
  if (typeof value === 'string' && parseDynamicValue(value) !== null) return
  const path = `presets.${name}`
  toLiteral(value, field, (expected) => {
    throw invalidQuery(path, `Expected ${expected} for "${path}" but received ${describe(value)}`)
  })
}

/** A name with spaces around it is quoted, because they are what is wrong. */
const shown = (name: string): string => (name.trim() === name ? name : JSON.stringify(name))

const actions: ReadonlySet<string> = new Set<Action>(['create', 'read', 'update', 'delete', 'share'])

const isAction = (text: string): text is Action => actions.has(text)

function toRule(row: PermissionRow, schema: Schema, ignore: (reason: string) => void): Rule | null {
  const collection = schema.collections.get(row.collection)
  if (collection === undefined) return ignored(ignore, `Collection ${row.collection} does not exist`)
  if (!isAction(row.action)) return ignored(ignore, `Action ${row.action} does not exist`)
  const fields = toFields(row.fields, collection, ignore)
  if (fields === null) return null
  const filter = toFilter(row.permissions, 'permissions', schema, collection)
  const validation = toFilter(row.validation, 'validation', schema, collection)
  return {
    collection: collection.name,
    action: row.action,
    fields,
    filter,
    validation: validation.kind === 'all' ? null : validation,
    presets: toPresets(row.presets, collection, { schema, ignore }),
  }
}

function ignored(ignore: (reason: string) => void, reason: string): null {
  ignore(reason)
  return null
}

/** Drops fields that no longer exist. A rule without any remaining field is dropped. */
function toFields(
  text: string | null,
  collection: Collection,
  ignore: (reason: string) => void,
): Rule['fields'] | null {
  const names = (text ?? '').split(',').filter((name) => name !== '')
  if (names.includes('*')) return '*'
  const present = names.filter((name) => collection.fields.has(name))
  if (present.length < names.length) {
    const gone = names.filter((name) => !collection.fields.has(name))
    ignore(`Fields ${gone.map(shown).join(', ')} of collection ${collection.name} do not exist`)
    if (present.length === 0) return null
  }
  return present
}

/** Limit of path segments in rules. It is generous, because only admins write rules. */
const depth = 20

function toFilter(json: unknown, name: 'permissions' | 'validation', schema: Schema, collection: Collection): Filter {
  if (json === null || json === undefined) return matchAll
  const options = { name, depth, dynamicPaths: true, validation: name === 'validation', grants: true }
  return parseFilter(json, { schema, collection: collection.name }, options)
}

/** Drops presets of fields that no longer exist. */
function toPresets(
  json: unknown,
  collection: Collection,
  { schema, ignore }: { readonly schema: Schema; readonly ignore: (reason: string) => void },
): Rule['presets'] {
  if (json === null || json === undefined) return null
  if (typeof json !== 'object' || Array.isArray(json)) {
    throw invalidQuery('presets', 'Expected an object')
  }
  const gone = Object.keys(json).filter((name) => !collection.fields.has(name))
  if (gone.length > 0)
    ignore(`Presets name ${gone.map(shown).join(', ')}, and collection ${collection.name} has no such field`)
  const ofFields = Object.entries(json).filter(([name]) => collection.fields.has(name))
  const presets = ofFields.map(([name, value]) => {
    const field = collection.fields.get(name)
    const key = namedKey(value, field, schema)
    const preset = toPreset(key, field)
    if (typeof key === 'string') assertPathLeads(preset as Value, schema)
    const fault = thrownBy('presets', () => assertFits(name, key, field))
    if (fault !== null) ignore(`${fault.reason}, so every write with it is refused`)
    return [name, preset] as const
  })
  return presets.length === 0 ? null : Object.fromEntries(presets)
}

/** A related row may be given as an object with its key, as in `{"author":{"id":1}}`. */
function namedKey(value: unknown, field: Field | undefined, schema: Schema): unknown {
  const { relation } = field ?? {}
  if (relation?.kind !== 'many-to-one' || typeof value !== 'object' || value === null) return value
  const [[name, key] = [], ...others] = Object.entries(value)
  return others.length === 0 && name === schema.collections.get(relation.collection)?.primaryKey ? key : value
}

function toPreset(value: unknown, field: Field | undefined): Value | readonly Literal[] {
  if (typeof value !== 'string') return value as Literal | readonly Literal[]
  const dynamic = parseDynamicValue(value)
  return dynamic === null ? value : fitMoment(dynamic, field?.type)
}
