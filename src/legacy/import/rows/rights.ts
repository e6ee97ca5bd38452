/** Permissions and presets → rows here. */
import { at, collectionIn, type Installation } from '../installation.ts'
import { filled, listAt, type SourceRecord, tellBroken } from '../records.ts'
import { copied, type Draft, mirrorOf, type Tell } from './drafts.ts'

export const levelsMirror = mirrorOf(
  'platform_role_levels',
  ['id'],
  `id integer, collection varchar(64), role uuid, status varchar(64), create varchar(16), read varchar(16),
  update varchar(16), delete varchar(16), comment varchar(16), explain varchar(16), read_field_blacklist text,
  write_field_blacklist text, status_blacklist text`,
)

const actions = ['create', 'read', 'update', 'delete', 'comment', 'explain'] as const

/** Of two rows of one role, collection and status, version 8 used the later. */
export function draftLevels(
  rows: readonly SourceRecord[],
  installation: Installation,
  { roles, tell }: { readonly roles: ReadonlyMap<string, string>; readonly tell: Tell },
): readonly Draft[] {
  const drafts = new Map<string, Draft>()
  for (const row of rows) {
    for (const name of actions) tellUnknown(row, name, tell)
    const [collection, role] = [collectionIn(installation, at(row, 'collection')), roles.get(at(row, 'role'))]
    if (collection === null || role === undefined) {
      const fault = collection === null ? `the collection ${row['collection']}` : `the role ${row['role']}`
      tell(`${named(row)} is left out: ${fault} is not there`)
      continue
    }
    const subject = `${role} ${collection} ${filled(row, 'status') ?? ''}`
    const earlier = drafts.get(subject)
    if (earlier !== undefined)
      tell(`${named(earlier)} is left out: ${row['id']} is of the same role, collection and status`)
    drafts.set(subject, draftLevel(row, collection, role))
  }
  return [...drafts.values()]
}

const levels: ReadonlySet<string> = new Set(['none', 'mine', 'role', 'full', 'read', 'create', 'update', 'always'])

const named = (row: { readonly [column: string]: string | null }): string =>
  `The permission ${row['id']} of ${row['collection']}`

const tellUnknown = (row: SourceRecord, name: string, tell: Tell): void => {
  const level = filled(row, name)
  if (level !== null && !levels.has(level))
    tell(`${named(row)} has the level ${level} in ${name}, which is not known; it grants nothing`)
}

const draftLevel = (row: SourceRecord, collection: string, role: string): Draft => ({
  ...copied(levelsMirror, row),
  collection,
  role,
  ...Object.fromEntries(
    ['read_field_blacklist', 'write_field_blacklist', 'status_blacklist'].map((name) => [
      name,
      listAt(row, name)?.join(',') ?? null,
    ]),
  ),
})

export const presetsMirror = mirrorOf(
  'platform_presets',
  ['id'],
  `id integer, bookmark varchar(255), user uuid, role uuid, collection varchar(64), search varchar(100), filters json,
  layout varchar(100), layout_query json, layout_options json, translation json`,
)

const sourceNames = {
  bookmark: 'title',
  search: 'search_query',
  layout_query: 'view_query',
  layout_options: 'view_options',
}

type Holders = {
  readonly roles: ReadonlyMap<string, string>
  readonly users: ReadonlyMap<string, string>
  readonly tell: Tell
}

/** A preset of a user or a role that is not there would be everybody's. */
export function draftPresets(
  rows: readonly SourceRecord[],
  installation: Installation,
  holders: Holders,
): readonly Draft[] {
  const { roles, users, tell } = holders
  return rows.flatMap((row) => {
    const [user, role] = [filled(row, 'user'), filled(row, 'role')]
    const collection = collectionIn(installation, at(row, 'collection'))
    const fault =
      collection === null
        ? `the collection ${row['collection']}`
        : user !== null && !users.has(user)
          ? `the user ${user}`
          : role !== null && !roles.has(role)
            ? `the role ${role}`
            : null
    if (fault !== null) {
      tell(`The preset ${row['id']} is left out: ${fault} is not there`)
      return []
    }
    tellBroken(row, ['filters', 'view_query', 'view_options', 'translation'], `the preset ${row['id']}`, tell)
    return [
      {
        ...copied(presetsMirror, row, sourceNames),
        user: user === null ? null : (users.get(user) ?? null),
        role: role === null ? null : (roles.get(role) ?? null),
        collection,
        layout: filled(row, 'view_type') ?? 'tabular',
      },
    ]
  })
}
