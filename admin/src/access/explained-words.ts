/** What the server tells of rules and conditions, in the language of the interface. */
import { wordsOf } from '../filters/words.ts'
import type { Collection, Model } from '../model/model.ts'
import { toFieldLabel, toNamedLabel } from '../model/texts.ts'
import { toFilter } from './condition.ts'

export type Here = {
  readonly model: Model
  readonly collection: Collection | null
  readonly translate: (key: string, values?: object) => string
}

const quoted = String.raw`"(?:[^"\\]|\\.)*"`
const rule = '(?<rule>(?:Permission|Level|What every) .+?)'
const form = (text: string): RegExp => new RegExp(`^${text}$`, 's')

/** `app.told.<name>` → how the server says it. What a group has is told in its turn. */
const forms: { readonly [name: string]: RegExp } = {
  every_item: form('every item'),
  no_item: form('no item'),
  new_items: form('new items'),
  every_field: form('every field'),
  no_field: form('no field'),
  user: form('the user'),
  public: form('the public'),
  role: form(`(?:role )?(?<role>${quoted})`),
  other: form('one other user'),
  others: form(String.raw`(?<count>\d+) other users`),
  application: form('What every user of the application may do'),
  permission: form(String.raw`Permission (?<id>\d+) of policy (?<policy>${quoted})(?: \(through .+\))?`),
  level: form(String.raw`Level (?<id>\d+) of version 8 \(role (?<role>${quoted})\)`),
  level_of_status: form(
    String.raw`Level (?<id>\d+) of version 8 \(role (?<role>${quoted}), status (?<status>${quoted})\)`,
  ),
  grants: form(`${rule} grants it`),
  together: form('Several rules together grant it'),
  everything: form(String.raw`Policy (?<policy>${quoted})(?: \(through .+\))? grants everything`),
  unmet: form(`${rule} reaches only items where (?<condition>.+), which this item does not meet`),
  reaches: form(`${rule} does not reach the item: it reaches (?<condition>.+)`),
  names_not: form(`${rule} names (?<fields>.+), not "(?<field>[^"]+)"`),
  names: form(`${rule} names (?<fields>every field|no field|the fields .+)`),
  demands: form(String.raw`${rule} refuses the value of "(?<field>[^"]+)" \(.+?\): it demands (?<condition>.+)`),
  held_by_none: form(`Policy (?<policy>${quoted}) grants it, but is not held: it is held by no role and no user`),
  not_held: form(`Policy (?<policy>${quoted}) grants it, but is not held: it is held by (?<holders>.+)`),
  other_actions: form('The rules on (?<collection>.+) are about (?<actions>.+), not .+'),
}

/** Null for what the application has no words for. */
export function messageWords(here: Here, message: string): string | null {
  for (const [name, pattern] of Object.entries(forms)) {
    const found = pattern.exec(message)
    if (found === null) continue
    const parts = Object.entries(found.groups ?? {}).map(([group, text]) => [group, partWords(here, group, text)])
    return here.translate(`app.told.${name}`, Object.fromEntries(parts))
  }
  return null
}

/** The condition in words, or as the server says it. */
export function conditionWords(here: Here, text: string): string {
  const filter = toFilter(text)
  return (filter === null ? messageWords(here, text) : wordsOf(here, filter)) ?? text
}

function partWords(here: Here, group: string, text: string): string {
  const fieldWords = (name: string): string => {
    const field = here.collection?.fields.find((each) => each.field === name)
    return field === undefined ? name : toFieldLabel(field)
  }
  switch (group) {
    case 'condition':
      return conditionWords(here, text)
    case 'field':
      return fieldWords(text)
    case 'fields':
      return (
        messageWords(here, text) ??
        text
          .replace(/^the fields /, '')
          .split(', ')
          .map(fieldWords)
          .join(', ')
      )
    case 'collection':
      return toNamedLabel(here.model, text)
    case 'actions':
      return text
        .split(', ')
        .map((action) => here.translate(`app.matrix.${action}`))
        .join(', ')
    case 'holders':
      return (text.match(new RegExp(`${quoted}|[^",]+`, 'g')) ?? [])
        .map((each) => each.trim())
        .filter(Boolean)
        .map((each) => messageWords(here, each) ?? each)
        .join(', ')
    default:
      return text.startsWith('"') ? String(JSON.parse(text)) : (messageWords(here, text) ?? text)
  }
}
