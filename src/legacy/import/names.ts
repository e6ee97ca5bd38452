/** Names of version 8's system tables, and what they are called here. */
import { type IdentityCollection, isIdentityCollection } from '../../domain/schema/identity.ts'

const prefix = 'directus_'

const others: { readonly [name: string]: string } = {
  directus_permissions: 'platform_role_levels',
  directus_collection_presets: 'platform_presets',
}

/** System tables of versions 7 and 8. Other tables with that prefix are a project's own. */
const system: ReadonlySet<string> = new Set(
  (
    'activity activity_seen collection_presets collections fields files folders migrations permissions relations ' +
    'revisions roles settings user_roles user_sessions users webhooks'
  )
    .split(' ')
    .map((name) => prefix + name),
)

export const isSystemTable = (name: string): boolean => system.has(name)

/** The collection here; null for a system table that has no counterpart. */
export function collectionHere(name: string): string | null {
  if (!system.has(name)) return name
  const here = others[name] ?? `platform_${name.slice(prefix.length)}`
  return counterparts.has(here) ? here : null
}

const counterparts: ReadonlySet<string> = new Set(
  (
    'activity activity_seen collections fields files folders presets relations revisions role_levels roles settings ' +
    'user_roles users'
  )
    .split(' ')
    .map((name) => `platform_${name}`),
)

/** The collection with uuids that a system table is, if it is one. */
export function identityOf(name: string | null | undefined): IdentityCollection | null {
  const here = name == null ? null : collectionHere(name)
  return here !== null && isIdentityCollection(here) ? here : null
}
