/** Types of settings: each describes, parses and validates a value. */
import { z } from 'zod'
import { parseSchedule, type Schedule } from '../domain/ports/schedule.ts'
import { sha256 } from '../tokens/digest.ts'

/** One row of the table of settings. `expected` completes "expected …" in an error. */
export type Setting<T> = {
  readonly about: string
  readonly expected: string
  readonly schema: z.ZodType<T, string>
  /** The default in the notation of the environment; null = unset. */
  readonly fallback: string | null
  /** Secret values are never printed, not even in errors. */
  readonly secret: boolean
}

/** Reads a setting whose name depends on others, such as that of a storage location. */
export type ReadSetting = (name: string, row: Setting<unknown>) => unknown

/** A type of setting: its description for errors, and its parser. */
export type Kind<T> = { readonly expected: string; readonly schema: z.ZodType<T, string> }

export const text: Kind<string> = { expected: 'a text', schema: z.string() }

export const flag: Kind<boolean> = {
  expected: 'true or false',
  schema: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', 'false', '1', '0']))
    .transform((value) => value === 'true' || value === '1'),
}

export const integer = (min: number, max: number = Number.MAX_SAFE_INTEGER): Kind<number> => ({
  expected: max === Number.MAX_SAFE_INTEGER ? `an integer from ${min}` : `an integer from ${min} to ${max}`,
  schema: z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max)),
})

export const decimal = (min: number, max: number): Kind<number> => ({
  expected: `a number from ${min} to ${max}`,
  schema: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max)),
})

export const choice = <const T extends string>(...words: readonly [T, ...T[]]): Kind<T> => ({
  expected: `one of ${words.join(', ')}`,
  schema: z.string().pipe(z.enum(words)),
})

/** The first part of addresses of version 8. */
export const projectKey: Kind<string> = {
  expected: 'lower-case letters, digits, "_" and "-"',
  schema: z.string().regex(/^[0-9a-z_-]{1,63}$/),
}

/** The beginning of names: lower-case letters and digits, and an underscore. */
export const prefix: Kind<string> = {
  expected: 'lower-case letters and digits with an underscore behind them, such as directus_',
  schema: z.string().regex(/^[a-z][a-z0-9]{0,30}_$/),
}

/** A version of three numbers. */
export const version: Kind<string> = {
  expected: 'a version such as 12.2.1',
  schema: z.string().regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/),
}

const milliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** A duration within a range, in milliseconds. */
export const durationWithin = (least: string, most: string): Kind<number> => ({
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

/** An age or a cache time. The upper limit keeps dates valid. */
export const duration: Kind<number> = durationWithin('0', '36500d')

/** The lifetime of a token or a cache entry; at least one second. */
export const lifetime: Kind<number> = durationWithin('1s', '36500d')

/** A waiting time. The upper limit is that of timers. */
export const wait: Kind<number> = durationWithin('0', '24d')

export const timeout: Kind<number> = durationWithin('1ms', '24d')

const bytes = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 } as const

/** A size in bytes. */
export const size: Kind<number> = {
  expected: 'a size such as 500kb or 1mb (a bare number is bytes)',
  schema: z
    .string()
    .toLowerCase()
    .regex(/^\d+(\.\d+)? ?(b|kb|mb|gb)?$/)
    .transform((value) => scaled(value, bytes, 'b'))
    .pipe(z.number().min(1).max(Number.MAX_SAFE_INTEGER)),
}

export const list: Kind<readonly string[]> = {
  expected: 'a comma-separated list',
  schema: z.string().transform(toList),
}

/** A comma-separated list with at least one entry. */
export const names: Kind<readonly string[]> = {
  expected: 'a comma-separated list of at least one name',
  schema: list.schema.pipe(z.array(z.string()).min(1)),
}

/** A retention time; false = unlimited. */
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

/** A recurring schedule (cron). */
export const schedule: Kind<Schedule> = {
  expected: 'a cron schedule of five fields, in UTC, such as 0 0 * * *',
  schema: z.string().transform((value, ctx) => {
    const parsed = parseSchedule(value)
    if (parsed !== null) return parsed
    ctx.addIssue('not a schedule')
    return z.NEVER
  }),
}

/** A limit; false = unlimited. */
export const orFalse = <T>(kind: Kind<T>): Kind<T | null> => ({
  expected: `false or ${kind.expected}`,
  schema: z.union([z.literal('false').transform(() => null), kind.schema]),
})

/** A date, or an instant in ISO 8601. */
export const date: Kind<Date> = {
  expected: 'a date such as 2027-01-31 or 2027-01-31T12:00:00Z',
  schema: z.union([z.iso.date(), z.iso.datetime({ offset: true })]).transform((value) => new Date(value)),
}

/** A date; true = now. */
export const orNow = (kind: Kind<Date>): Kind<Date> => ({
  expected: `true or ${kind.expected}`,
  schema: z.union([z.literal('true').transform(() => new Date()), kind.schema]),
})

/** A limit; -1 = unlimited. */
export const orNone = <T>(kind: Kind<T>): Kind<T | null> => ({
  expected: `-1 for none or ${kind.expected}`,
  schema: z.union([z.literal('-1').transform(() => null), kind.schema]),
})

/** A fraction above 0 and up to 1. */
export const fraction: Kind<number> = {
  expected: 'a number above 0 and at most 1',
  schema: z
    .string()
    .regex(/^\d*\.?\d+$/)
    .transform(Number)
    .pipe(z.number().positive().max(1)),
}

/** TLS mode: off, on, or on without verification of the certificate. */
export const sslModes: Kind<boolean | 'no-verify'> = {
  expected: 'true, false or no-verify',
  schema: z
    .enum(['true', 'false', 'no-verify'])
    .transform((value) => (value === 'no-verify' ? value : value === 'true')),
}

export function atLeast(characters: number): Kind<string> {
  return { expected: `at least ${characters} characters`, schema: z.string().min(characters) }
}

export const emailAddress: Kind<string> = { expected: 'an e-mail address', schema: z.string().pipe(z.email()) }

/** An e-mail address, optionally with a display name. */
export const mailSender: Kind<string> = {
  expected: 'an e-mail address, or a name with one in <>',
  schema: z.string().regex(/^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/),
}

export function toList(value: string): readonly string[] {
  const parts = value.split(',').map((each) => each.trim())
  return parts.filter((each) => each !== '')
}

function scaled(value: string, units: { readonly [unit: string]: number }, bare: string): number {
  const [, amount, unit] = /^([\d.]+) ?([a-z]*)$/.exec(value) as unknown as [string, string, string]
  return Math.round(Number(amount) * (units[unit === '' ? bare : unit] as number))
}

export function setting<T>(about: string, kind: Kind<T>, fallback: string): Setting<T> {
  return { about, expected: kind.expected, schema: kind.schema, fallback, secret: false }
}

export function optional<T>(about: string, kind: Kind<T>): Setting<T | null> {
  return { about, expected: kind.expected, schema: kind.schema, fallback: null, secret: false }
}

/** An optional setting that is never printed. */
export const secret = (about: string, kind: Kind<string> = text): Setting<string | null> => ({
  ...optional(about, kind),
  secret: true,
})

/** Texts by their SHA-256 in hexadecimal, as JSON: what generators of persisted documents write. */
export const documents: Kind<ReadonlyMap<string, string>> = {
  expected: 'a JSON object of documents by their SHA-256',
  schema: z
    .string()
    .transform((raw, context): unknown => {
      try {
        return JSON.parse(raw)
      } catch {
        context.addIssue('No JSON')
        return z.NEVER
      }
    })
    .pipe(z.record(z.string(), z.string()))
    .transform((texts) => new Map(Object.entries(texts).map(([hash, text]) => [hash.toLowerCase(), text])))
    .refine((texts) => [...texts].every(([hash, text]) => hash === sha256(text))),
}
