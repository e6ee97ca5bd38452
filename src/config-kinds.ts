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
type Kind<T> = { readonly expected: string; readonly schema: z.ZodType<T, string> }

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

/** A time; milliseconds. */
export const duration: Kind<number> = {
  expected: 'a duration such as 500ms, 30s, 15m, 12h or 7d (a bare number is milliseconds)',
  schema: z
    .string()
    .regex(/^\d+(\.\d+)? ?(ms|s|m|h|d|w)?$/)
    .transform((value) => scaled(value, milliseconds, 'ms')),
}

const bytes = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 } as const

/** An amount; bytes. */
export const size: Kind<number> = {
  expected: 'a size such as 500kb or 1mb (a bare number is bytes)',
  schema: z
    .string()
    .toLowerCase()
    .regex(/^\d+(\.\d+)? ?(b|kb|mb|gb)?$/)
    .transform((value) => scaled(value, bytes, 'b'))
    .pipe(z.number().min(1)),
}

/** Texts between commas. */
export const list: Kind<readonly string[]> = {
  expected: 'a comma-separated list',
  schema: z.string().transform((value) =>
    value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ),
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

/** An absolute address. */
export const url: Kind<string> = {
  expected: 'an absolute http or https address',
  schema: z
    .string()
    .pipe(z.url({ protocol: /^https?$/ }))
    .transform((value) => value.replace(/\/+$/, '')),
}

/** Pages to which mails may lead; a scheme of an app is as good as https. */
export const pages: Kind<readonly string[]> = {
  expected: 'a comma-separated list of absolute addresses such as https://app.example.com/reset',
  schema: z.string().transform((value, ctx) => {
    const found = value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
    for (const each of found) if (!URL.canParse(each)) ctx.addIssue('not an address')
    return found
  }),
}

/** false, true, a number of proxies, or their addresses. */
export const proxies: Kind<boolean | number | readonly string[]> = {
  expected: 'true, false, a number of proxies, or a list of their addresses',
  schema: z.string().transform((value) => {
    if (value === 'true' || value === 'false') return value === 'true'
    return /^\d+$/.test(value) ? Number(value) : value.split(',').map((each) => each.trim())
  }),
}

/** false = none, true = any, or a list of origins. */
export const origins: Kind<boolean | readonly string[]> = {
  expected: 'true, false, * or a list of origins such as https://app.example.com',
  schema: z.string().transform((value, ctx) => {
    if (value === 'true' || value === '*') return true
    if (value === 'false') return false
    const found = value.split(',').map((each) => each.trim().replace(/\/$/, ''))
    for (const each of found) if (!/^https?:\/\/[^/\s]+$/.test(each)) ctx.addIssue('not an origin')
    return found
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

/** The name of a header. */
export function headerName(): Kind<string> {
  return { expected: 'the name of a header', schema: z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/) }
}

/** Where Redis is. */
export function redisUrl(): Kind<string> {
  const schema = z.string().refine((value) => /^rediss?:\/\//.test(value) && URL.canParse(value))
  return { expected: 'redis://user:password@host:6379/0', schema }
}

/** An address, or one in angle brackets behind a name. */
export function mailSender(): Kind<string> {
  const schema = z.string().regex(/^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/)
  return { expected: 'an e-mail address, or a name with one in <>', schema }
}

/** The name of a cookie. */
export function cookieName(): Kind<string> {
  return { expected: 'a cookie name', schema: z.string().regex(/^[\w.-]+$/) }
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
