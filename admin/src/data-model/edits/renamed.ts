/** A collection under another name, or with a field under another name, for a configuration that says what was renamed. */
import type { Collections, Entry, FieldEntry } from './configuration.ts'

/** `field`: null for the collection itself. */
export type Rename = { readonly collection: string; readonly field: string | null; readonly to: string }

type Values = { readonly [name: string]: unknown }

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null

/** Settings of collections, fields and relations that name a field of the same collection. */
const references = new Set(['group', 'sort_field', 'archive_field', 'one_collection_field', 'junction_field'])

/** Only the collection that changes: the server follows references in others. */
export function renamed(all: Collections, { collection, field, to }: Rename): Collections {
  const entry = all[collection]
  if (entry === undefined) return {}
  if (field === null) return { [to]: { ...(inside(entry, 'to', collection, to) as Entry), renamed_from: collection } }
  const fields = Object.entries(entry.fields).map(([name, each]) => {
    const changed = withField(each, field, to) as FieldEntry
    return name === field ? [to, { ...changed, renamed_from: field }] : [name, changed]
  })
  const { fields: _, rights, levels, ...rest } = entry
  return {
    [collection]: {
      ...(withField(rest, field, to) as Entry),
      fields: Object.fromEntries(fields),
      ...(rights !== undefined && { rights: inRights(rights, field, to) }),
      ...(levels !== undefined && { levels: inRights(levels, field, to) }),
    },
  }
}

/** What an entry says of a field: settings, templates, and rules by the names of fields. */
function withField(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withField(each, from, to))
  if (!isValues(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (name === 'rule' || name === 'validation') return [name, inRule(each, from, to)]
      if (references.has(name) && each === from) return [name, to]
      if (name === 'display_template' && typeof each === 'string') return [name, inTemplate(each, from, to)]
      return [name, withField(each, from, to)]
    }),
  )
}

/** Lists of names of fields. */
const lists = new Set(['fields', 'read_field_blacklist', 'write_field_blacklist'])

/** Parts of a right with the names of fields as names of their parts. */
const rules = new Set(['permissions', 'validation', 'presets'])

/** Rights by policy, and levels of version 8 by role. */
function inRights(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map((each) => inRights(each, from, to))
  if (!isValues(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (lists.has(name) && Array.isArray(each))
        return [name, each.map((listed: unknown) => (listed === from ? to : listed))]
      return [name, rules.has(name) ? inRule(each, from, to) : inRights(each, from, to)]
    }),
  )
}

/** Rules have the names of fields as names of their parts. */
function inRule(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map((each) => inRule(each, from, to))
  if (!isValues(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) =>
      name === from ? [to, each] : [name, name.startsWith('_') ? inRule(each, from, to) : each],
    ),
  )
}

const inTemplate = (template: string, from: string, to: string): string =>
  template.replaceAll(/\{\{\s*([^{}.\s]+)/g, (whole, name: string) =>
    name === from ? `${whole.slice(0, -name.length)}${to}` : whole,
  )

/** Relations of the collection with itself. */
function inside(value: unknown, key: string, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map((each) => inside(each, key, from, to))
  if (!isValues(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (name === 'one_allowed_collections' && Array.isArray(each))
        return [name, each.map((allowed: unknown) => (allowed === from ? to : allowed))]
      return [name, name === key && each === from ? to : inside(each, key, from, to)]
    }),
  )
}
