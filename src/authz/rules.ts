/** From rows of `platform_permissions` to rules. What cannot be understood grants nothing. */
import type { Action, Rule } from '../domain/actor.ts'
import { assertPathLeads } from '../domain/actor-paths.ts'
import { fitMoment, parseDynamicValue } from '../domain/dynamic-values.ts'
import { TandemError } from '../domain/errors.ts'
import { type Filter, type Literal, matchAll, type Value } from '../domain/filter.ts'
import { parseFilter } from '../domain/filter-json.ts'
import type { Collection, Field, Schema } from '../domain/schema.ts'

/** A row as stored. */
export type PermissionRow = {
  readonly id: number
  readonly collection: string
  readonly action: string
  readonly permissions: unknown
  readonly validation: unknown
  readonly presets: unknown
  /** `*`, or names joined by commas. */
  readonly fields: string | null
}

/** A row that grants less than it says. */
export type IgnoredPermission = { readonly id: number; readonly reason: string }

/** The rules of the rows, and what in them could not be used. */
export function toRules(
  rows: readonly PermissionRow[],
  schema: Schema,
): { readonly rules: readonly Rule[]; readonly ignored: readonly IgnoredPermission[] } {
  const rules: Rule[] = []
  const ignored: IgnoredPermission[] = []
  for (const row of rows) {
    const ignore = (reason: string) => ignored.push({ id: row.id, reason })
    try {
      const rule = toRule(row, schema, ignore)
      if (rule !== null) rules.push(rule)
    } catch (error) {
      if (!(error instanceof TandemError)) throw error
      ignore(reasonOf(error))
    }
  }
  return { rules, ignored }
}

function reasonOf(error: TandemError): string {
  const [failure] = error.failures
  return failure.kind === 'invalid-query' ? `${failure.name}: ${failure.reason}` : JSON.stringify(failure)
}

/** What is wrong with a row, or null: what it names has to exist, and its conditions have to be understood. */
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

/** `isUnknownName`: it names what is not there, which is not for everybody to know. */
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
    for (const value of Object.values(json))
      if (typeof value === 'string') assertPathLeads(toPreset(value, undefined) as Value, schema)
  })
}

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
    presets: toPresets(row.presets, collection),
  }
}

function ignored(ignore: (reason: string) => void, reason: string): null {
  ignore(reason)
  return null
}

/** Names of fields that are gone are left out; a rule that is left without any is no rule. */
function toFields(
  text: string | null,
  collection: Collection,
  ignore: (reason: string) => void,
): Rule['fields'] | null {
  const names = (text ?? '').split(',').filter((name) => name !== '')
  if (names.includes('*')) return '*'
  const found = names.filter((name) => collection.fields.has(name))
  if (found.length < names.length) {
    const gone = names.filter((name) => !collection.fields.has(name))
    ignore(`Fields ${gone.join(', ')} of collection ${collection.name} do not exist`)
    if (found.length === 0) return null
  }
  return found
}

/** Rules are written by those who may do everything, so their paths may be long. */
const depth = 20

function toFilter(json: unknown, name: 'permissions' | 'validation', schema: Schema, collection: Collection): Filter {
  if (json === null || json === undefined) return matchAll
  const options = { name, depth, dynamicPaths: true, validation: name === 'validation' }
  return parseFilter(json, { schema, collection: collection.name }, options)
}

function toPresets(json: unknown, collection: Collection): Rule['presets'] {
  if (json === null || json === undefined) return null
  if (typeof json !== 'object' || Array.isArray(json)) {
    throw new TandemError({ kind: 'invalid-query', name: 'presets', reason: 'Expected an object' })
  }
  const presets = Object.entries(json).map(
    ([field, value]) => [field, toPreset(value, collection.fields.get(field))] as const,
  )
  return presets.length === 0 ? null : Object.fromEntries(presets)
}

function toPreset(value: unknown, field: Field | undefined): Value | readonly Literal[] {
  if (typeof value !== 'string') return value as Literal | readonly Literal[]
  const dynamic = parseDynamicValue(value)
  return dynamic === null ? value : fitMoment(dynamic, field?.type)
}
