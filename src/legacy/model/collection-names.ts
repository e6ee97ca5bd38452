/** Names of system collections in this generation, where they differ from those of the tables. */
import { isSystemName, systemPrefix } from '../../domain/model/system-collections.ts'
import { showNames, storeNamesIn } from '../../domain/model/system-spelling.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { Codec } from '../../domain/schema/view.ts'

const shown: { readonly [core: string]: string } = {
  platform_presets: 'platform_collection_presets',
  platform_role_levels: 'platform_permissions',
}

const stored = new Map(Object.entries(shown).map(([core, name]) => [name, core]))

/** The name that clients see, unless the view has another prefix. */
export const shownCollection = (core: string): string => (Object.hasOwn(shown, core) ? (shown[core] ?? core) : core)

/** The prefix that system collections had in version 8. */
const formerPrefix = /^directus_/

/** The collection that clients mean: a table of the project, otherwise a system collection, also by its former prefix. */
export function storedCollection({ collections }: Pick<Schema, 'collections'>, name: string): string {
  const own = collections.get(name)
  if (own?.system === false) return name
  const current = name.replace(formerPrefix, 'platform_')
  const core = stored.get(current) ?? current
  return collections.get(core)?.system === true ? core : name
}

/** The same, where the name may also have the prefix that the view shows. */
export const readCollection = ({ schema, view }: Pick<Context, 'schema' | 'view'>, name: string): string =>
  storedCollection(schema, storeNamesIn(name, view.systemPrefix))

/** Whether clients mean a system collection, existing or not. */
export const meansSystem = ({ collections }: Pick<Schema, 'collections'>, name: string): boolean =>
  collections.get(name)?.system !== false && isSystemName(name.replace(formerPrefix, 'platform_'))

/** For fields that hold the name of a collection. `prefix`: that of the shown names of system collections. */
export function collectionCodec(schema: Schema, prefix = systemPrefix): Codec {
  const system = [...schema.collections.values()].filter((each) => each.system).map(({ name }) => shownCollection(name))
  const spellings = system.flatMap((name) => [name, showNames(name, 'directus_'), showNames(name, prefix)])
  const candidates = spellings.map((name) => [name, storedCollection(schema, name)] as const)
  const words =
    prefix === systemPrefix
      ? shown
      : Object.fromEntries(system.map((name) => [storedCollection(schema, name), showNames(name, prefix)]))
  return { kind: 'words', words, spellings: Object.fromEntries(candidates) }
}
