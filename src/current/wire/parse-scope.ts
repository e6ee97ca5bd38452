/** Resolves wire names to fields of the schema. */
import { refuseQuery } from '../../domain/conditions/literals.ts'
import type { Limits } from '../../domain/ports/settings.ts'
import { type Call, type FunctionName, functions } from '../../domain/query/functions.ts'
import { jsonPathForm, readJsonPath } from '../../domain/query/json-path.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Field, Schema } from '../../domain/schema/schema.ts'
import { findCollection, type View } from '../../domain/schema/view.ts'

/** Where a parser looks up names; the view contains only what the actor may know. */
export type ParseScope = {
  readonly schema: Schema
  readonly view: View
  readonly limits: Limits
  /** Collects names of written fields that do not exist. Absent if these are refused. */
  readonly ignored?: Set<string>
}

/** Throws `field-not-found` for missing and for hidden fields. */
export function fieldNamed({ schema, view }: ParseScope, collection: string, name: string): Field {
  const core = view.byCore.get(collection)?.fields.get(name)?.field
  const field = core === undefined ? undefined : schema.collections.get(collection)?.fields.get(core)
  if (field === undefined) throw new TandemError({ kind: 'field-not-found', collection, field: name })
  return field
}

/** The core name of a collection on the wire; throws `collection-not-found`. */
export function collectionNamed(view: View, name: string): string {
  const target = findCollection(view, name)
  if (target === undefined) throw new TandemError({ kind: 'collection-not-found', collection: name })
  return target.collection
}

/**
 * Splits `year(date)` into its two names; null for a plain name.
 * @example readCall('year(date)') // ['year', 'date']
 */
export function readCall(word: string): readonly [name: string, argument: string, path?: string] | null {
  const match = /^([A-Za-z]{1,20})\(([^()]*)\)$/.exec(word)
  if (match === null) return null
  const [, name = '', input = ''] = match
  const comma = name === 'json' ? input.lastIndexOf(', ') : -1
  return comma === -1 ? [name, input] : [name, input.slice(0, comma), input.slice(comma + 2)]
}

/**
 * The function of a word, with the field that `named` finds.
 * @example toCall(['json', 'settings', 'theme.color'], 'sort', (name) => name).jsonPath // ['theme', 'color']
 */
export function toCall(
  [name, argument, path]: readonly [name: string, argument: string, path?: string],
  parameter: string,
  named: (field: string) => string,
): Call {
  if (!Object.hasOwn(functions, name)) refuseQuery(parameter, 'a function of fields', name)
  const call = { function: name as FunctionName, field: named(argument) }
  if (call.function !== 'json') return call
  const jsonPath = readJsonPath(path ?? '')
  return jsonPath === null ? refuseQuery(parameter, jsonPathForm, path ?? argument) : { ...call, jsonPath }
}

/**
 * The name of a function's result where the client gives none.
 * @example resultName({ function: 'json', field: 'settings', jsonPath: ['theme', 'color'] }, 'settings') // 'settings_theme_color_json'
 */
export const resultName = ({ function: name, jsonPath = [] }: Call, field: string): string =>
  [field, ...jsonPath, name].join('_')

/** Splits `item:headings` into its two names; the second is null without a scope, and if a field has the whole name. */
export function readScope(
  word: string,
  collection: string,
  { view }: Pick<ParseScope, 'view'>,
): readonly [name: string, collection: string | null] {
  const colon = word.indexOf(':')
  if (colon === -1 || view.byCore.get(collection)?.fields.has(word) === true) return [word, null]
  return [word.slice(0, colon), word.slice(colon + 1)]
}
