/** System fields beyond collection operations, and special behavior of some collections. */

import { writeComments } from '../../core/history/mentions.ts'
import { writeItems } from '../../core/items/items.ts'
import type { Answer } from '../../graphql/execute.ts'
import { oncePerLanguage } from '../handlers/system/translations.ts'
import type { Special } from './graphql.ts'
import { mutations } from './mutations.ts'
import type { Resolving, Run } from './named.ts'
import { queries } from './queries.ts'
import type { Family } from './roots.ts'

const families: { readonly [collection: string]: Family } = {
  platform_comments: { write: writeComments },
  platform_permissions: { isListedWhole: true },
  platform_translations: { write: (ctx, mutation) => oncePerLanguage(() => writeItems(ctx, mutation)) },
}

/** The special behavior of a collection. */
const familyOf = (collection: string): Family => families[collection] ?? {}

/** Resolves a field that the system spec names. */
async function runNamedRoot(operation: 'query' | 'mutation', resolving: Resolving): Promise<Answer> {
  const { name, args } = resolving.asked
  const table: { readonly [name: string]: Run<never> } = operation === 'query' ? queries : mutations
  const run = Object.hasOwn(table, name) ? table[name] : undefined
  // The placeholder field of an empty schema.
  if (run === undefined) return { kind: 'value', value: null }
  return run(resolving, args as never)
}

export const special: Special = { familyOf, runNamedRoot }
