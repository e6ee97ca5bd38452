/** The project of another tool as files of this one: names in place of its ids, and what has no place here left out. */
import type { ConfigurationModel, Entries, Entry, FileKind, ProjectDocument } from '../../domain/ports/configuration.ts'
import { type ForeignProject, type ForeignRow, readRows } from './foreign-folder.ts'

export type ConvertedProject = {
  readonly document: ProjectDocument
  /** Contents of the folder that have no counterpart here, such as `2 flows`. */
  readonly leftOut: readonly string[]
}

/** Throws for two roles, policies or dashboards of one name, and for references to nothing. */
export function convertForeign(project: ForeignProject, model: ConfigurationModel): ConvertedProject {
  const { rows, id, snapshot } = project
  const ignored: string[] = []
  const adopted = snapshot === null ? {} : model.adopt(snapshot, (keys) => void ignored.push(...keys))
  const roles = naming(rows['roles'] ?? [], { id, kind: 'role' })
  const policies = naming(rows['policies'] ?? [], { id, kind: 'policy' })
  const attached = attachments(project)
  const existing = (kind: FileKind, row: ForeignRow): Entry => knownValues(model, kind, row)
  const dashboards = naming(rows['dashboards'] ?? [], { id, kind: 'dashboard' })
  const [settings] = rows['settings'] ?? []
  const document: ProjectDocument = {
    collections: withRights(adopted, rows['permissions'] ?? [], policies),
    roles: entriesOf(rows['roles'] ?? [], roles, id, (row, name) => ({
      ...(isAdministrator(row, id) ? { fixed: 'administrator' } : {}),
      ...existing('role', { ...row, parent: roles.get(row['parent']) ?? null, name: null }),
      ...policiesOf(attached, name, roles, policies),
    })),
    policies: entriesOf(rows['policies'] ?? [], policies, id, (row) => ({
      ...(isAdministrator(row, id) ? { fixed: 'administrator' } : {}),
      ...existing('policy', { ...row, name: null, public: isForAll(attached, row[id]) ? true : null }),
    })),
    dashboards: entriesOf(rows['dashboards'] ?? [], dashboards, id, (row) => ({
      ...existing('dashboard', { ...row, name: null }),
      panels: (rows['panels'] ?? [])
        .filter(({ dashboard }) => dashboard === row[id])
        .map((panel) => picked(panel, panelKeys)),
    })),
    translations: translationsOf(rows['translations'] ?? []),
    settings:
      settings === undefined
        ? null
        : existing('settings', {
            ...settings,
            public_registration_role: roles.get(settings['public_registration_role']),
          }),
    presets: rows['presets'] === undefined ? null : presetsOf(rows['presets'], roles, model),
    webhooks: null,
  }
  return { document, leftOut: [...leftOutOf(rows), ...ignored.map((key) => `the key ${key}`)] }
}

type NamesOfIds = ReadonlyMap<unknown, string>

/** The names that other servers give to what every project has. */
const fixedNames: { readonly [name: string]: string } = {
  '$t:public_label': 'Everybody',
  _sync_default_public_policy: 'Everybody',
}

function naming(rows: readonly ForeignRow[], { id, kind }: { readonly id: string; readonly kind: string }): NamesOfIds {
  const names = new Map<unknown, string>()
  for (const row of rows) {
    const name = fixedNames[String(row['name'])] ?? fixedNames[String(row[id])] ?? String(row['name'])
    if ([...names.values()].includes(name)) throw new Error(`Expected one ${kind} "${name}" but received two`)
    names.set(row[id], name)
  }
  return names
}

const entriesOf = (
  rows: readonly ForeignRow[],
  names: NamesOfIds,
  id: string,
  toEntry: (row: ForeignRow, name: string) => Entry,
): Entries =>
  Object.fromEntries(
    rows.map((row) => {
      const name = names.get(row[id]) ?? ''
      return [name, toEntry(row, name)]
    }),
  )

const isAdministrator = (row: ForeignRow, id: string): boolean =>
  String(row[id]).startsWith('_sync_default_admin_') || row['name'] === 'Administrator'

type Attachment = { readonly role: unknown; readonly policy: unknown; readonly sort: number }

/** Which policies roles and everybody have: in policies, or in a list of their own. Those of users are left out. */
function attachments({ rows, id }: ForeignProject): readonly Attachment[] {
  const own = (rows['policies'] ?? []).flatMap((policy) =>
    Array.isArray(policy['roles'])
      ? (policy['roles'] as readonly ForeignRow[]).map((each) => ({ ...each, policy: policy[id] }))
      : [],
  )
  return [...own, ...(rows['access'] ?? [])]
    .map((each: ForeignRow) => ({ ...each, sort: Number(each['sort'] ?? 0) }) as ForeignRow & Attachment)
    .filter((each) => each['user'] == null)
    .toSorted((a, b) => a.sort - b.sort)
}

const isForAll = (attached: readonly Attachment[], policy: unknown): boolean =>
  attached.some((each) => each.role == null && each.policy === policy)

function policiesOf(attached: readonly Attachment[], role: string, roles: NamesOfIds, policies: NamesOfIds): Entry {
  const names = attached.filter((each) => each.role != null && roles.get(each.role) === role)
  return names.length === 0 ? {} : { policies: names.map(({ policy }) => policies.get(policy) ?? String(policy)) }
}

/** The values that files of the kind contain; null values are left out. */
function knownValues(model: ConfigurationModel, kind: FileKind, row: ForeignRow): Entry {
  const schema = model.schemaOf(kind) as {
    readonly properties?: object
    readonly items?: { readonly properties?: object }
  }
  return picked(row, Object.keys(schema.properties ?? schema.items?.properties ?? {}))
}

const realName = (name: unknown): string => String(name).replace(/^directus_/, 'platform_')

const rightKeys = ['action', 'permissions', 'validation', 'presets', 'fields'] as const

/** The values under these names that are not null. */
const picked = (row: ForeignRow, names: readonly string[]): Entry =>
  Object.fromEntries(names.flatMap((name) => (row[name] == null ? [] : [[name, row[name]] as const])))

function withRights(collections: Entries, permissions: readonly ForeignRow[], policies: NamesOfIds): Entries {
  const byCollection = Map.groupBy(permissions, ({ collection }) => realName(collection))
  const names = [...new Set([...Object.keys(collections), ...byCollection.keys()])]
  return Object.fromEntries(
    names.map((name) => {
      const own = Map.groupBy(byCollection.get(name) ?? [], ({ policy }) => {
        const holder = policies.get(policy)
        if (holder === undefined)
          throw new Error(`Expected the policy of a permission of "${name}" but received ${JSON.stringify(policy)}`)
        return holder
      })
      const rights = [...own].map(([policy, rows]) => [policy, rows.map((row) => picked(row, rightKeys))])
      return [
        name,
        { ...collections[name], ...(rights.length === 0 ? {} : { rights: Object.fromEntries(rights) as Entry }) },
      ]
    }),
  )
}

const panelKeys = 'name icon color show_header note type position_x position_y width height options'.split(' ')

function translationsOf(rows: readonly ForeignRow[]): ProjectDocument['translations'] {
  const byLanguage = Map.groupBy(rows, ({ language }) => String(language))
  return Object.fromEntries(
    [...byLanguage].map(([language, texts]) => [
      language,
      Object.fromEntries(texts.map(({ key, value }) => [String(key), String(value)])),
    ]),
  )
}

/** Presets of users belong to them. */
const presetsOf = (rows: readonly ForeignRow[], roles: NamesOfIds, model: ConfigurationModel): readonly Entry[] =>
  rows
    .filter((row) => row['user'] == null)
    .map((row) =>
      knownValues(model, 'presets', {
        ...row,
        collection: row['collection'] == null ? null : realName(row['collection']),
        role: roles.get(row['role']) ?? null,
      }),
    )

const leftOutOf = (rows: ForeignProject['rows']): readonly string[] =>
  Object.entries(rows)
    .filter(([name, list]) => !readRows.includes(name) && name !== 'access' && list.length > 0)
    .map(([name, list]) => `${list.length} ${name}`)
