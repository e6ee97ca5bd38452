/** Converts filter arguments of GraphQL to the JSON filter language; only some names differ. */
import type { Field } from '../../domain/schema/schema.ts'
import { isName } from '../../graphql/names.ts'
import type { ParseScope } from '../wire/parse-scope.ts'

type Json = { readonly [name: string]: unknown }

/** `day_func: {year: …}` becomes `year(day)`, `item__pages` becomes `item:pages`; nulls are ignored. */
export function toFilterJson(filter: unknown, collection: string, scope: ParseScope): unknown {
  if (!isObject(filter)) return filter
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
      if (value === null && !name.startsWith('_')) return []
      if (isLogical(name)) return [[name, listOf(value).map((each) => toFilterJson(each, collection, scope))]]
      if (name === '_some' || name === '_none') return [[name, toFilterJson(value, collection, scope)]]
      return toCondition(name, value, collection, scope)
    }),
  )
}

const isLogical = (name: string): boolean => name === '_and' || name === '_or'

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === null ? [] : [value])

type Conditions = readonly (readonly [string, unknown])[]

function toCondition(name: string, value: unknown, collection: string, scope: ParseScope): Conditions {
  const field = fieldOf(name, collection, scope)
  if (field === undefined) return toSpelled(name, value, collection, scope)
  const { relation } = field
  if (!isObject(value)) return [[name, value]]
  if (relation === null || relation.kind === 'many-to-any') return [[name, withoutNulls(value)]]
  const inner = toFilterJson(value, relation.collection, scope)
  return relation.kind === 'many-to-one' ? toOne(name, inner, relation.collection, scope) : [[name, inner]]
}

/** A null in a list equals nothing. */
function withoutNulls(operators: Json): Json {
  const entries = Object.entries(operators).map(([operator, value]) => {
    const isList = (operator === '_in' || operator === '_nin') && Array.isArray(value)
    return [operator, isList ? value.filter((each: unknown) => each !== null) : value] as const
  })
  return Object.fromEntries(entries)
}

function fieldOf(name: string, collection: string, { schema, view }: ParseScope): Field | undefined {
  const core = view.byCore.get(collection)?.fields.get(name)?.field
  return core === undefined ? undefined : schema.collections.get(collection)?.fields.get(core)
}

const nullness: ReadonlySet<string> = new Set(['_null', '_nnull'])

/** A test for null refers to the field that holds the key; a related item always has a key. */
function toOne(name: string, inner: unknown, collection: string, { schema }: ParseScope): Conditions {
  const key = schema.collections.get(collection)?.primaryKey ?? ''
  if (!isObject(inner) || !isObject(inner[key])) return [[name, inner]]
  const { [key]: wanted, ...others } = inner
  const operators = Object.entries(wanted as Json)
  const own = Object.fromEntries(operators.filter(([operator]) => nullness.has(operator)))
  const rest = Object.fromEntries(operators.filter(([operator]) => !nullness.has(operator)))
  const related = { ...others, ...(Object.keys(rest).length === 0 ? {} : { [key]: rest }) }
  return [[name, { ...own, ...related }]]
}

/** A name that is not a field: a function, or a collection of a many-to-any relation. */
function toSpelled(name: string, value: unknown, collection: string, parseScope: ParseScope): Conditions {
  const called = /^(.+)_func$/.exec(name)?.[1]
  if (called !== undefined && fieldOf(called, collection, parseScope) !== undefined && isObject(value))
    return Object.entries(value).flatMap(([each, conditions]) =>
      conditions === null ? [] : [[`${each}(${called})`, conditions] as const],
    )
  const scope = /^(.+?)__(.+)$/.exec(name)
  if (scope === null) return [[name, value]]
  const target = parseScope.view.collections.get(scope[2] as string)
  if (target === undefined || !isName(scope[2] as string)) return [[name, value]]
  return [[`${scope[1]}:${scope[2]}`, toFilterJson(value, target.collection, parseScope)]]
}
