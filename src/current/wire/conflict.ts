/** `on_conflict`: the fields that identify an existing item. */

import type { OpenedCollection } from './collections.ts'
import type { QueryInput } from './level.ts'
import { readNames, refuse } from './lists.ts'
import { fieldNamed } from './parse-scope.ts'

const name = 'on_conflict'

/** The names as given; null without the parameter. */
export function conflictNames(query: QueryInput): readonly string[] | null {
  const input = query[name]
  if (input === undefined) return null
  const names = readNames(input, name)
  return names.length === 0 ? refuse(name, 'names of fields', input) : names
}

export const conflictFields = (names: readonly string[], { collection, scope }: OpenedCollection): readonly string[] =>
  names.map((each) => fieldNamed(scope, collection.name, each).name)
