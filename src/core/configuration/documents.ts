/** Records and the data model as one document per file, and back. */

import type { Entries, Entry, ProjectDocument } from '../../domain/ports/configuration.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { compareTexts } from '../../domain/sorted-names.ts'
import { keyOf, type NamedEntry, namesIn, numberedEntries, type Records, type StoredRecord } from './read-records.ts'
import type { RecordKind } from './record-kinds.ts'
import { withReferences } from './webhook-secrets.ts'

/** What only older applications see of a field, by `collection.field`. */
export type Declarations = ReadonlyMap<string, Entry>

/** The files of the records and of the data model. */
export function toDocument(records: Records, model: Entries, declarations: Declarations): ProjectDocument {
  const rights = Map.groupBy(entriesOf(records.right), ([key]) => String(namesIn(key)[0]))
  const levels = Map.groupBy(entriesOf(records.level), ([key]) => String(namesIn(key)[0]))
  const names = [...new Set([...Object.keys(model), ...rights.keys(), ...levels.keys()])].toSorted(compareTexts)
  const [settings] = records.settings.values()
  const presets = entriesOf(records.preset).map(([key, entry]): Entry => {
    const [, collection, bookmark] = namesIn(key)
    return { ...withoutNull({ collection, bookmark }), ...entry }
  })
  const webhooks = entriesOf(records.webhook).map(([key, entry]) => withReferences(String(namesIn(key)[0]), entry))
  return {
    collections: Object.fromEntries(
      names.map((name) => [
        name,
        {
          ...withDeclarations(name, model[name] ?? {}, declarations),
          ...partOf('rights', rightsOf(rights.get(name) ?? [])),
          ...partOf('levels', levelsOf(levels.get(name) ?? [])),
        },
      ]),
    ),
    roles: byName(records.role),
    policies: byName(records.policy),
    dashboards: byName(records.dashboard),
    translations: translationsOf(records.translation),
    settings: settings === undefined || Object.keys(settings.entry).length === 0 ? null : settings.entry,
    presets: presets.length === 0 ? null : presets,
    webhooks: webhooks.length === 0 ? null : webhooks,
  }
}

type Sorted = readonly (readonly [key: string, entry: Entry])[]

const entriesOf = (records: ReadonlyMap<string, StoredRecord>): Sorted =>
  [...records].map(([key, { entry }]) => [key, entry] as const).toSorted(([left], [right]) => compareTexts(left, right))

const withoutNull = (entry: Entry): Entry =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null && value !== undefined))

const partOf = (name: string, part: object): Entry =>
  (Array.isArray(part) ? part.length : Object.keys(part).length) === 0 ? {} : { [name]: part }

const byName = (records: ReadonlyMap<string, StoredRecord>): Entries => Object.fromEntries(entriesOf(records))

const actions = ['create', 'read', 'update', 'delete', 'share']

function rightsOf(rights: Sorted): { readonly [policy: string]: readonly Entry[] } {
  const groups = Map.groupBy(rights, ([key]) => String(namesIn(key)[1]))
  return Object.fromEntries(
    [...groups].map(([policy, group]) => [
      policy,
      group
        .map(([key, entry]): Entry => ({ action: namesIn(key)[2], ...entry }))
        .toSorted((left, right) => actions.indexOf(String(left['action'])) - actions.indexOf(String(right['action']))),
    ]),
  )
}

const levelsOf = (levels: Sorted): readonly Entry[] =>
  levels.map(([key, entry]) => {
    const [, role, status] = namesIn(key)
    return { ...withoutNull({ role, status }), ...entry }
  })

function withDeclarations(collection: string, file: Entry, declarations: Declarations): Entry {
  const { fields, ...rest } = file as { readonly fields?: Entries }
  if (fields === undefined) return file
  const declared = Object.entries(fields).map(([field, each]) => {
    const older = declarations.get(`${collection}.${field}`)
    return [field, older === undefined ? each : { ...each, version_8: older }] as const
  })
  return { ...rest, fields: Object.fromEntries(declared) }
}

function translationsOf(records: ReadonlyMap<string, StoredRecord>): ProjectDocument['translations'] {
  const languages = Map.groupBy(entriesOf(records), ([key]) => String(namesIn(key)[0]))
  return Object.fromEntries(
    [...languages].map(([language, group]) => [
      language,
      Object.fromEntries(group.map(([key, entry]) => [String(namesIn(key)[1]), String(entry['value'])])),
    ]),
  )
}

/** The records that files describe. */
export type WantedRecords = { readonly [K in RecordKind]: ReadonlyMap<string, Entry> }

/** The records of a document; `tidy` leaves out defaults. */
export function toWanted(document: ProjectDocument, tidy: TidyEntry): WantedRecords {
  const { roles, policies, dashboards, translations, settings, presets, webhooks, collections } = document
  const files = Object.entries(collections)
  const named = (kind: RecordKind, entries: Entries): ReadonlyMap<string, Entry> =>
    new Map(Object.entries(entries).map(([key, entry]) => [key, tidy(kind, { key, entry })]))
  const rights = files.flatMap(([collection, file]) =>
    Object.entries((file['rights'] ?? {}) as { readonly [policy: string]: readonly Entry[] }).flatMap(
      ([policy, list]) => list.map(({ action, ...entry }) => ({ names: [collection, policy, action], entry })),
    ),
  )
  const levels = files.flatMap(([collection, file]) =>
    ((file['levels'] ?? []) as readonly Entry[]).map(({ role, status, ...entry }) => ({
      names: [collection, role, status],
      entry,
    })),
  )
  const shown = (presets ?? []).map((entry) => ({
    names: [entry['role'], entry['collection'], entry['bookmark']],
    entry,
  }))
  return {
    role: named('role', roles),
    policy: named('policy', policies),
    right: numbered('right', rights, tidy),
    level: numbered('level', levels, tidy),
    settings: named('settings', settings === null ? {} : { settings }),
    preset: numbered('preset', shown, tidy),
    dashboard: named('dashboard', dashboards),
    webhook: numbered(
      'webhook',
      (webhooks ?? []).map(({ name, ...entry }) => ({ names: [name], entry })),
      tidy,
    ),
    translation: new Map(
      Object.entries(translations).flatMap(([language, texts]) =>
        Object.entries(texts).map(([key, value]) => [keyOf(language, key), { value }] as const),
      ),
    ),
  }
}

/** Leaves defaults out of an entry. */
export type TidyEntry = (kind: RecordKind, input: { readonly key: string; readonly entry: Entry }) => Entry

function numbered(kind: RecordKind, all: readonly NamedEntry[], tidy: TidyEntry): ReadonlyMap<string, Entry> {
  const tidied = all.map(({ names, entry }) => ({ names, entry: tidy(kind, { key: keyOf(...names), entry }) }))
  return new Map(numberedEntries(tidied).map(([key, { entry }]) => [key, entry]))
}

/** Throws for a role or policy that a file names and that is neither in a file nor here. */
export function assertNamesKnown(wanted: WantedRecords, present: Records): void {
  const demand = (what: 'role' | 'policy', name: unknown, where: string): void => {
    if (wanted[what].has(String(name)) || present[what].has(String(name))) return
    const received = JSON.stringify(name)
    throw invalidPayload(
      where,
      `Expected the name of a ${what} of the files or of this project in ${where} but received ${received}`,
    )
  }
  for (const [name, { parent, policies = [] }] of wanted.role) {
    if (parent != null) demand('role', parent, `role "${name}"`)
    for (const policy of policies as readonly string[]) demand('policy', policy, `role "${name}"`)
  }
  for (const [name, { of_role: role }] of wanted.policy) if (role != null) demand('role', role, `policy "${name}"`)
  for (const [collection, policy] of [...wanted.right.keys()].map(namesIn))
    demand('policy', policy, `rights of "${collection}"`)
  for (const [collection, role] of [...wanted.level.keys()].map(namesIn))
    demand('role', role, `levels of "${collection}"`)
  for (const [role] of [...wanted.preset.keys()].map(namesIn)) if (role != null) demand('role', role, 'presets')
  for (const [key, { role }] of wanted.webhook) if (role != null) demand('role', role, `webhook "${namesIn(key)[0]}"`)
  const registered = wanted.settings.get('settings')?.['public_registration_role']
  if (registered != null) demand('role', registered, 'settings')
}
