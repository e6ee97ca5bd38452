/** What settings may be: how each kind of value is said, read and refused. */
import { z } from 'zod'
import { parseSchedule, type Schedule } from './domain/schedule.ts'

/** One row of the table. `expected` completes "expected …" in an error. */
export type Setting<T> = {
  readonly about: string
  readonly expected: string
  readonly schema: z.ZodType<T, string>
  /** The default as one would write it in the environment; null = unset. */
  readonly fallback: string | null
  /** Never echoed, not even when it is wrong. */
  readonly secret: boolean
}

/** How a value is said and read. */
export type Kind<T> = { readonly expected: string; readonly schema: z.ZodType<T, string> }

/** Anything. */
export const text: Kind<string> = { expected: 'a text', schema: z.string() }

/** Yes or no. */
export const flag: Kind<boolean> = {
  expected: 'true or false',
  schema: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', 'false', '1', '0']))
    .transform((value) => value === 'true' || value === '1'),
}

/** A whole number within bounds. */
export const integer = (min: number, max: number = Number.MAX_SAFE_INTEGER): Kind<number> => ({
  expected: max === Number.MAX_SAFE_INTEGER ? `an integer from ${min}` : `an integer from ${min} to ${max}`,
  schema: z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max)),
})

/** One of some words. */
export const choice = <const T extends string>(...words: readonly [T, ...T[]]): Kind<T> => ({
  expected: `one of ${words.join(', ')}`,
  schema: z.string().pipe(z.enum(words)),
})

const milliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** A time between bounds; milliseconds. */
const time = (least: string, most: string): Kind<number> => ({
  expected: `a duration such as 500ms, 30s, 15m, 12h or 7d (a bare number is milliseconds), from ${least} to ${most}`,
  schema: z
    .string()
    .regex(/^\d+(\.\d+)? ?(ms|s|m|h|d|w)?$/)
    .transform((value) => scaled(value, milliseconds, 'ms'))
    .pipe(
      z
        .number()
        .min(scaled(least, milliseconds, 'ms'))
        .max(scaled(most, milliseconds, 'ms')),
    ),
})

/** How old something gets. Moments that are further away than this have no date. */
export const duration: Kind<number> = time('0', '36500d')

/** For how long something is good, which nothing is that ends where it begins. */
export const lifetime: Kind<number> = time('1s', '36500d')

/** How long something is waited for; timers count no further. */
export const wait: Kind<number> = time('0', '24d')

/** How long something may take. */
export const timeout: Kind<number> = time('1ms', '24d')

const bytes = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 } as const

/** An amount; bytes. */
export const size: Kind<number> = {
  expected: 'a size such as 500kb or 1mb (a bare number is bytes)',
  schema: z
    .string()
    .toLowerCase()
    .regex(/^\d+(\.\d+)? ?(b|kb|mb|gb)?$/)
    .transform((value) => scaled(value, bytes, 'b'))
    .pipe(z.number().min(1).max(Number.MAX_SAFE_INTEGER)),
}

/** Texts between commas. */
export const list: Kind<readonly string[]> = {
  expected: 'a comma-separated list',
  schema: z.string().transform(toList),
}

/** Texts between commas, at least one. */
export const names: Kind<readonly string[]> = {
  expected: 'a comma-separated list of at least one name',
  schema: list.schema.pipe(z.array(z.string()).min(1)),
}

/** false = for good. */
export const age: Kind<number | null> = {
  expected: 'a duration such as 90d, or false to keep all',
  schema: z.string().transform((value, ctx) => {
    if (value === 'false') return null
    const parsed = duration.schema.safeParse(value)
    if (parsed.success) return parsed.data
    ctx.addIssue('not a duration')
    return z.NEVER
  }),
}

/** When something is done, again and again. */
export const schedule: Kind<Schedule> = {
  expected: 'a cron schedule of five fields, in UTC, such as 0 0 * * *',
  schema: z.string().transform((value, ctx) => {
    const parsed = parseSchedule(value)
    if (parsed !== null) return parsed
    ctx.addIssue('not a schedule')
    return z.NEVER
  }),
}

/** A bound, or none. */
export const orFalse = <T>(kind: Kind<T>): Kind<T | null> => ({
  expected: `false or ${kind.expected}`,
  schema: z.union([z.literal('false').transform(() => null), kind.schema]),
})

/** A part of a whole. */
export const fraction: Kind<number> = {
  expected: 'a number above 0 and at most 1',
  schema: z
    .string()
    .regex(/^\d*\.?\d+$/)
    .transform(Number)
    .pipe(z.number().positive().max(1)),
}

/** Whether a connection is encrypted, and whether whom it leads to is checked. */
export const sslModes: Kind<boolean | 'no-verify'> = {
  expected: 'true, false or no-verify',
  schema: z
    .enum(['true', 'false', 'no-verify'])
    .transform((value) => (value === 'no-verify' ? value : value === 'true')),
}

/** A text that is not too short. */
export function atLeast(characters: number): Kind<string> {
  return { expected: `at least ${characters} characters`, schema: z.string().min(characters) }
}

/** An e-mail address. */
export function emailAddress(): Kind<string> {
  return { expected: 'an e-mail address', schema: z.string().pipe(z.email()) }
}

/** An address, or one in angle brackets behind a name. */
export function mailSender(): Kind<string> {
  const schema = z.string().regex(/^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/)
  return { expected: 'an e-mail address, or a name with one in <>', schema }
}

/** The texts between commas. */
export function toList(value: string): readonly string[] {
  const found = value.split(',').map((each) => each.trim())
  return found.filter((each) => each !== '')
}

function scaled(value: string, units: { readonly [unit: string]: number }, bare: string): number {
  const [, amount, unit] = /^([\d.]+) ?([a-z]*)$/.exec(value) as unknown as [string, string, string]
  return Math.round(Number(amount) * (units[unit === '' ? bare : unit] as number))
}

/** A setting that always has a value. */
export function setting<T>(about: string, kind: Kind<T>, fallback: string): Setting<T> {
  return { about, expected: kind.expected, schema: kind.schema, fallback, secret: false }
}

/** A setting that may stay unset. */
export function optional<T>(about: string, kind: Kind<T>): Setting<T | null> {
  return { about, expected: kind.expected, schema: kind.schema, fallback: null, secret: false }
}

/** A setting that is never echoed and may stay unset. */
export const secret = (about: string, kind: Kind<string> = text): Setting<string | null> => ({
  ...optional(about, kind),
  secret: true,
})
