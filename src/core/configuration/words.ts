/** Words for changes of a plan. */
import type { Entry } from '../../domain/ports/configuration.ts'

type Values = { readonly before: unknown; readonly after: unknown; readonly secrets: ReadonlySet<string> }

/** `name: before → after`, without secrets; of a list of names, what is added and removed. */
export function describeValues(name: string, { before, after, secrets }: Values): string {
  const sides = [textOf(before), textOf(after)] as const
  if (sides.some((text) => holdsSecret(text, secrets))) return `${name} (a secret)`
  if (isNames(before) && isNames(after)) return `${name}: ${listChange(before, after)}`
  const isVisible = before == null && after == null
  const [old, fresh] = differing(isVisible ? sides : [valueText(before), valueText(after)])
  return `${name}: ${old} → ${fresh}`
}

/** What a right allows, such as `fields: id, title; rows: where {"status":{"_eq":"published"}}`. */
export function describeRight(action: string, right: Entry, secrets: ReadonlySet<string>): string {
  const parts: readonly (readonly [name: string, text: string])[] = [
    ...(['create', 'read', 'update'].includes(action) ? [['fields', fieldsText(right['fields'])] as const] : []),
    ...(action === 'create' ? [] : [['rows', rowsText(right['permissions'])] as const]),
    ...(['validation', 'presets'] as const).flatMap((name) =>
      isEmpty(right[name]) ? [] : [[name, textOf(right[name])] as const],
    ),
  ]
  return parts.map(([name, text]) => `${name}: ${holdsSecret(text, secrets) ? '(a secret)' : text}`).join('; ')
}

const fieldsText = (fields: unknown): string =>
  !isNames(fields) || fields.length === 0 ? 'none' : fields.includes('*') ? 'all' : fields.join(', ')

const rowsText = (filter: unknown): string => (isEmpty(filter) ? 'all' : `where ${textOf(filter)}`)

const isEmpty = (value: unknown): boolean => value == null || textOf(value) === '{}'

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')

function listChange(before: readonly string[], after: readonly string[]): string {
  const [added, removed] = [
    after.filter((each) => !before.includes(each)),
    before.filter((each) => !after.includes(each)),
  ]
  if (added.length === 0 && removed.length === 0) return `${before.join(', ')} → ${after.join(', ')}`
  const parts = [
    ['added', added],
    ['removed', removed],
  ] as const
  return parts.flatMap(([word, names]) => (names.length === 0 ? [] : [`${word} ${names.join(', ')}`])).join(', ')
}

const textOf = (value: unknown): string => JSON.stringify(value) ?? 'not set'

const valueText = (value: unknown): string => textOf(value ?? undefined)

const holdsSecret = (text: string, secrets: ReadonlySet<string>): boolean =>
  [...secrets].some((secret) => text.includes(jsonText(secret)))

/** As it stands within JSON. */
const jsonText = (secret: string): string => JSON.stringify(secret).slice(1, -1)

const longest = 80

/** Long texts without what is the same at their start, so that the difference is within what is shown. */
function differing([old, fresh]: readonly [string, string]): readonly [string, string] {
  const same = commonStart(old, fresh)
  const start = Math.max(old.length, fresh.length) > longest && same > longest / 2 ? same - longest / 4 : 0
  const shown = (text: string): string => `${start > 0 ? '…' : ''}${shortened(text.slice(start))}`
  return [shown(old), shown(fresh)]
}

function commonStart(old: string, fresh: string): number {
  let at = 0
  while (at < old.length && old[at] === fresh[at]) at += 1
  return at
}

const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)
