/** Rows for collections without given ones, by name and type of their fields. The same seed makes the same rows. */
import type { Collection, Column, Field } from '../../../src/domain/schema/schema.ts'
import type { GivenRows } from '../api.ts'
import type { Env } from './env.ts'

type Random = { readonly below: (limit: number) => number; readonly pick: <T>(all: readonly T[]) => T }

const words = 'amber autumn bridge candle cedar cloud coast copper garden harbour island lantern letter meadow'.split(
  ' ',
)
const names = 'Ada Ben Clara David Elif Femi Grace Hugo Ines Jonas Kenji Lena Marta Noah Olga Priya'.split(' ')
const families = 'Adler Brown Costa Dubois Eriksen Fischer Garcia Haas Ivanov Jansen Kaya Lopez'.split(' ')
const cities = 'Athens Bergen Cork Dakar Essen Florence Ghent Haifa'.split(' ')
const begin = Date.UTC(2020, 0, 1)
const day = 86_400_000

/** Rows for each collection of the user that has none. Nullable references are left empty where there is no row. */
export function generateRows(env: Env, seed: number, count: number): GivenRows {
  const empty = [...env.schema.collections.values()].filter(
    ({ name, system, table, singleton }) =>
      !system && table !== null && env.tables.all(name).length === 0 && !singleton,
  )
  const keys = new Map<string, readonly unknown[]>(
    empty.map((each) => [each.name, Array.from({ length: count }, (_, at) => keyOf(each, seed, at))]),
  )
  const keysOf = (name: string): readonly unknown[] => {
    const key = env.schema.collections.get(name)?.primaryKey ?? ''
    return keys.get(name) ?? env.tables.all(name).map((row) => row[key])
  }
  return Object.fromEntries(
    empty.map((each) => {
      const random = createRandom(`${seed} ${each.name}`)
      return [each.name, (keys.get(each.name) ?? []).map((key, at) => rowOf(each, { key, at, random, keysOf }))]
    }),
  )
}

type Making = {
  readonly key: unknown
  readonly at: number
  readonly random: Random
  readonly keysOf: (collection: string) => readonly unknown[]
}

function rowOf(collection: Collection, making: Making): { readonly [field: string]: unknown } {
  const fields = [...collection.fields.values()].filter(
    (field) => field.column !== null && !field.column.generated && field.relation?.kind !== 'many-to-any',
  )
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = field.name === collection.primaryKey ? making.key : valueOf(field, field.column as Column, making)
      return value === undefined ? [] : [[field.name, value]]
    }),
  )
}

function keyOf({ fields, primaryKey }: Collection, seed: number, at: number): unknown {
  const field = fields.get(primaryKey)
  if (field?.type === 'uuid') return uuidOf(createRandom(`${seed} key ${at} ${primaryKey}`))
  if (field?.type === 'integer' || field?.type === 'bigInteger') return at + 1
  return cut(`key-${at + 1}`, field?.column?.maxLength ?? null)
}

function valueOf(field: Field, column: Column, making: Making): unknown {
  const { at, random, keysOf } = making
  if (field.relation?.kind === 'many-to-one') {
    const keys = keysOf(field.relation.collection)
    if (keys.length === 0) return column.nullable ? null : undefined
    return column.unique ? (keys[at] ?? null) : random.pick(keys)
  }
  const allowed = column.values ?? choicesOf(field)
  if (allowed.length > 0)
    return field.type === 'csv' || field.type === 'json' ? [random.pick(allowed)] : random.pick(allowed)
  const moment = new Date(begin + random.below(2000) * day + random.below(day / 1000) * 1000).toISOString()
  switch (field.type) {
    case 'string':
    case 'text':
      return textOf(field, column, making)
    case 'boolean':
      return random.below(2) === 1
    case 'integer':
    case 'bigInteger':
      return column.unique
        ? at + 1
        : random.below(/year/i.test(field.name) ? 100 : 1000) + (/year/i.test(field.name) ? 1925 : 0)
    case 'float':
    case 'decimal':
      return numberOf(column, making)
    case 'date':
      return moment.slice(0, 10)
    case 'time':
      return moment.slice(11, 19)
    case 'dateTime':
      return moment.slice(0, 19)
    case 'timestamp':
      return moment
    case 'uuid':
      return uuidOf(random)
    case 'json':
      return { note: random.pick(words) }
    case 'csv':
      return [random.pick(words), random.pick(words)]
    default:
      return column.nullable || column.hasDefault ? undefined : ''
  }
}

/** The values that the form of the field offers. */
function choicesOf({ meta }: Field): readonly (string | number)[] {
  const input = meta?.['options']
  const options: unknown = typeof input === 'string' ? JSON.parse(input) : input
  const { choices = null, allowOther = false } = (options ?? {}) as { choices?: unknown; allowOther?: boolean }
  if (!Array.isArray(choices) || allowOther) return []
  return choices.flatMap((each: { readonly value?: string | number } | null) => each?.value ?? [])
}

function textOf({ name }: Field, { unique, maxLength }: Column, { at, random }: Making): string {
  const first = random.pick(names)
  const family = random.pick(families)
  const two = `${random.pick(words)} ${random.pick(words)}`
  const mark = unique ? `${at + 1}` : ''
  const text = ((): string => {
    if (/mail/i.test(name)) return `${first}.${family}${mark}@example.com`.toLowerCase()
    if (/url|website|link/i.test(name)) return `https://example.com/${two.replace(' ', '-')}${mark}`
    if (/phone/i.test(name)) return `+1 555 ${String(1000 + at)}`
    if (/first_?name/i.test(name)) return `${first}${mark}`
    if (/last_?name|surname/i.test(name)) return `${family}${mark}`
    if (/city|town/i.test(name)) return `${random.pick(cities)}${mark}`
    if (/slug|code/i.test(name)) return `${two.replace(' ', '-')}${mark}`
    if (/name|author/i.test(name)) return `${first} ${family}${mark === '' ? '' : ` ${mark}`}`
    return `${two.charAt(0).toUpperCase()}${two.slice(1)}${mark === '' ? '' : ` ${mark}`}`
  })()
  if (maxLength === null || text.length <= maxLength) return text
  return unique ? cut(mark.padStart(Math.min(maxLength, 8), '0'), maxLength) : cut(text, maxLength)
}

const cut = (text: string, limit: number | null): string => (limit === null ? text : text.slice(0, limit))

/** Within precision and scale; below a thousand. */
function numberOf({ precision, scale, unique }: Column, { at, random }: Making): number {
  const decimals = Math.min(scale ?? 2, 2)
  const whole = precision === null ? 3 : Math.max(0, Math.min(3, precision - (scale ?? 0)))
  const number = unique ? at + 1 : random.below(10 ** (whole + decimals))
  return number / 10 ** decimals
}

function uuidOf(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.below(16).toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** Numbers that depend on the text alone (mulberry32). */
function createRandom(text: string): Random {
  let state = 0
  for (const letter of text) state = (Math.imul(state, 31) + (letter.codePointAt(0) ?? 0)) | 0
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
  return { below, pick: (all) => all[below(all.length)] as (typeof all)[number] }
}
