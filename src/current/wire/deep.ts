/** The levels of `deep`: their parameters, and their validation where nothing of them is selected. */

import { refuseQuery } from '../../domain/conditions/literals.ts'
import { assertShown } from '../../domain/schema/hidden-target.ts'
import type { FieldRelation } from '../../domain/schema/schema.ts'
import { withCursor } from './cursor.ts'
import { type Level, parseRows, readAliases } from './level.ts'
import { type ParameterNames, readObject } from './lists.ts'
import { collectionNamed, type ParseScope, readScope } from './parse-scope.ts'

/** A relation to items of several collections. */
export type ManyToAny = Extract<FieldRelation, { kind: 'many-to-any' }>

/** The level of a related field, with its parameters from `deep`. */
export function innerLevel(
  level: Level,
  name: string,
  { collection, paths }: Pick<Level, 'collection' | 'paths'>,
  scope: ParseScope,
): Level {
  const deepName = `${level.deepName}.${name}`
  const params = readObject(level.deep[name], deepName)
  for (const key of Object.keys(params)) assertDeepKey(key, deepName, collection, scope)
  const names: ParameterNames = {
    key: (parameter) => `_${parameter}`,
    shown: (parameter) => `${deepName}._${parameter}`,
  }
  return { collection, paths, params, deep: params, deepName, names, depth: level.depth + 1 }
}

const deepKeys: ReadonlySet<string> = new Set(
  ['filter', 'sort', 'limit', 'offset', 'page', 'cursor', 'search', 'aggregate', 'groupBy', 'alias'].map(
    (name) => `_${name}`,
  ),
)

function assertDeepKey(key: string, deepName: string, collection: string, { view }: ParseScope): void {
  if (!key.startsWith('_') || deepKeys.has(key) || view.byCore.get(collection)?.fields.has(key)) return
  refuseQuery(deepName, `one of ${[...deepKeys].join(', ')} or a field`, key)
}

/** Refuses parameters that choose among several items. */
export function assertOneItem({ names, params }: Level): void {
  for (const parameter of ['search', 'aggregate', 'groupBy', 'offset', 'page', 'cursor']) {
    const key = names.key(parameter)
    if (key in params) refuseQuery(names.shown(parameter), 'nothing, because it leads to one item,', params[key])
  }
}

/** The collections of `item:headings`, or all of the relation without a scope. */
export function scopedCollections(
  parameter: string,
  scope: string | null,
  { allowed }: ManyToAny,
  { view }: ParseScope,
): readonly string[] {
  if (scope === null) return allowed
  const collection = collectionNamed(view, scope)
  return allowed.includes(collection)
    ? [collection]
    : refuseQuery(parameter, 'one of the collections of the field', scope)
}

/**
 * Validates everything in `deep`, level by level. The selection reads only the levels of selected relations; the
 * others have no effect, and must be correct nevertheless.
 */
export function assertDeep(level: Level, scope: ParseScope): void {
  if (level.depth > scope.limits.depth) refuseQuery(level.deepName, `at most ${scope.limits.depth} levels`, level.depth)
  const aliases = readAliases(level)
  const isRoot = level.depth === 1
  for (const name of Object.keys(level.deep)) {
    if (!isRoot && deepKeys.has(name)) continue
    assertRelated(level, { name, field: aliases.get(name) ?? name }, scope)
  }
}

function assertRelated(level: Level, { name, field }: { name: string; field: string }, parseScope: ParseScope): void {
  const [fieldName, scope] = readScope(field, level.collection, parseScope)
  const core = parseScope.view.byCore.get(level.collection)?.fields.get(fieldName)?.field
  const target = core === undefined ? undefined : parseScope.schema.collections.get(level.collection)?.fields.get(core)
  const relation = target?.relation ?? null
  if (target === undefined || relation === null || (scope !== null && relation.kind !== 'many-to-any')) {
    return refuseQuery(
      level.deepName,
      `${level.depth === 1 ? '' : `one of ${[...deepKeys].join(', ')} or `}a relation`,
      name,
    )
  }
  if (relation.kind === 'many-to-any') {
    const collections = scopedCollections(level.deepName, scope, relation, parseScope)
    return assertSome(collections, (collection) =>
      assertInner(level, name, { kind: relation.kind, collection }, parseScope),
    )
  }
  assertShown(parseScope.view, relation.collection, { collection: level.collection, field: target.name })
  assertInner(level, name, relation, parseScope)
}

function assertInner(
  level: Level,
  name: string,
  relation: Exclude<FieldRelation, ManyToAny> | { readonly kind: ManyToAny['kind']; readonly collection: string },
  scope: ParseScope,
): void {
  const inner = innerLevel(level, name, { collection: relation.collection, paths: [] }, scope)
  const rows = parseRows(inner, scope)
  if (relation.kind !== 'one-to-many') assertOneItem(inner)
  else withCursor(rows, inner.params['_cursor'], scope, { ...inner.names, sortField: relation.sortField })
  assertDeep(inner, scope)
}

/** Parameters of `item` without a scope are correct if they are correct for one of its collections. */
function assertSome(collections: readonly string[], assert: (collection: string) => void): void {
  const errors: unknown[] = []
  for (const collection of collections) {
    try {
      return assert(collection)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
