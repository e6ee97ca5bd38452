/** Entries of files without defaults and without names that repeat their path. */

import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../../domain/ports/configuration.ts'
import type { Context } from '../../domain/ports/context.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { withSortedNames } from '../../domain/sorted-names.ts'
import { ownPolicyName } from './read-records.ts'
import { defaultOf, heldFields, panels, type RecordKind, recordKinds } from './record-kinds.ts'

/** Keys of files that are no fields of the row. */
const structural: { readonly [kind: string]: readonly string[] } = {
  role: ['name', 'renamed_from', 'fixed', 'policies'],
  policy: ['name', 'renamed_from', 'fixed', 'of_role', 'public'],
  dashboard: ['panels'],
  webhook: ['secret'],
}

/** Throws `invalid-payload` for a key that is no field; `title`: of the record, for the message. */
export function tidyEntry(
  ctx: Pick<Context, 'schema'>,
  kind: RecordKind,
  { key, entry }: { readonly key: string; readonly entry: Entry },
): Entry {
  const tidied = tidyFields(ctx, recordKinds[kind], { entry, other: structural[kind] ?? [], title: `${kind} ${key}` })
  if (structural[kind] === undefined) return tidied
  const { name, policies, public: isPublic, panels: parts, ...rest } = tidied
  const isOwn = entry['of_role'] !== undefined && ownPolicyName(String(name)) === key
  return {
    ...rest,
    ...(name === undefined || name === key || isOwn ? {} : { name }),
    ...(Array.isArray(policies) && policies.length > 0 ? { policies } : {}),
    ...(isPublic === true ? { public: true } : {}),
    ...(Array.isArray(parts) && parts.length > 0
      ? {
          panels: (parts as readonly Entry[]).map((panel) =>
            tidyFields(ctx, panels, { entry: panel, other: [], title: `panels of ${kind} ${key}` }),
          ),
        }
      : {}),
  }
}

type TidyOptions = { readonly entry: Entry; readonly other: readonly string[]; readonly title: string }

function tidyFields(
  ctx: Pick<Context, 'schema'>,
  kind: Parameters<typeof heldFields>[1],
  { entry, other, title }: TidyOptions,
): Entry {
  const fields = new Map(heldFields(ctx, kind).map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.entries(entry).flatMap(([name, value]) => {
      if (other.includes(name)) return [[name, value]]
      const field = fields.get(name)
      if (field === undefined) {
        const existing = [...fields.keys(), ...other].join(', ')
        throw invalidPayload(name, `Expected one of ${existing} in ${title} but received "${name}"`)
      }
      return isDeepStrictEqual(value, defaultOf(field)) ? [] : [[name, withSortedNames(value)]]
    }),
  )
}
