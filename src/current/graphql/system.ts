/** System fields beyond collection operations, and special behavior of some collections. */

import { writeComments } from '../../core/history/mentions.ts'
import { writeItems } from '../../core/items/items.ts'
import { showNamesIn, storeNamesIn } from '../../domain/model/system-spelling.ts'
import type { Answer } from '../../graphql/execute.ts'
import { oncePerLanguage } from '../handlers/system/translations.ts'
import { withStoredArguments } from '../views/system-names.ts'
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

async function runNamedRoot(operation: 'query' | 'mutation', resolving: Resolving): Promise<Answer> {
  const { name, args } = resolving.selected
  const table: { readonly [name: string]: Run<never> } = operation === 'query' ? queries : mutations
  const run = Object.hasOwn(table, name) ? table[name] : undefined
  // The placeholder field of an empty schema.
  if (run === undefined) return { kind: 'value', value: null }
  const { systemPrefix: prefix } = resolving.ctx.view
  const stored = withStoredArguments(args, resolving.ctx)
  if (!isAboutModel(name)) return run(resolving, stored as never)
  return shownAnswer(await run(resolving, storeNamesIn(stored, prefix) as never), prefix)
}

/** Fields in whose arguments and answers any text may be the name of a collection. */
const isAboutModel = (name: string): boolean =>
  /^(?:(?:create_|update_|delete_)?(?:collections|fields|relations)|schema|permissions_me|shares_info|server_specs)(?:_|$)/.test(
    name,
  )

/** The text of rows is as the view shows it; anything else is about the data model or the server. */
function shownAnswer(answer: Answer, prefix: string | undefined): Answer {
  return answer.kind === 'value' ? { kind: 'value', value: showNamesIn(answer.value, prefix) } : answer
}

export const special: Special = { familyOf, runNamedRoot }
