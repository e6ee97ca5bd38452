/** Reads parameters in their loose forms: comma-separated text, lists, JSON text, objects with numeric keys. */

import { parseExactly } from '../../domain/conditions/exact-numbers.ts'
import { isWellFormedText, refuseQuery } from '../../domain/conditions/literals.ts'
import { isRecord } from '../../domain/is-record.ts'
import { splitNames } from '../../domain/query/field-path.ts'

/** Names of a level's parameters: `key` in the request, `shown` in errors. */
export type ParameterNames = {
  readonly key: (parameter: string) => string
  readonly shown: (parameter: string) => string
}

/**
 * Splits words at commas, trims them and drops empty ones.
 * @example readWords('a, b', 'fields') // ['a', 'b']
 */
export function readWords(raw: unknown, name: string, split = splitWords): readonly string[] {
  if (raw === undefined || raw === null || raw === '') return []
  const parts = typeof raw === 'string' ? [raw] : Array.isArray(raw) ? raw : indexed(raw)
  if (parts === null) return refuseQuery(name, 'a comma-separated text or a list', raw)
  return parts.flatMap((part) => {
    if (typeof part !== 'string') return refuseQuery(name, 'a list of texts', part)
    return part.includes(',') || part.includes(' ') ? split(part) : part === '' ? [] : [part]
  })
}

/** The same for names of fields, in which a backslash may stand before a comma. */
export const readNames = (raw: unknown, name: string): readonly string[] => readWords(raw, name, splitNames)

const splitWords = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

function indexed(raw: unknown): readonly unknown[] | null {
  if (typeof raw !== 'object' || raw === null) return null
  const keys = Object.keys(raw)
  return keys.every((key) => /^\d+$/.test(key)) ? Object.values(raw) : null
}

/** Reads an object or its JSON text; undefined and empty text give an empty object. */
export function readObject(raw: unknown, name: string): { readonly [key: string]: unknown } {
  if (raw === undefined || raw === '') return {}
  const value = readJson(raw, name)
  return isRecord(value) ? value : refuseQuery(name, 'an object', raw)
}

/** Returns the value, or parses it if it is JSON text. */
export function readJson(raw: unknown, name: string): unknown {
  if (typeof raw !== 'string') return raw
  try {
    return parseExactly(raw)
  } catch {
    return refuseQuery(name, 'an object or JSON text', raw)
  }
}

/** Reads an integer not below `least`; null if absent. */
export function readInteger(raw: unknown, name: string, least: number): number | null {
  if (raw === undefined || raw === null || raw === '') return null
  const value = typeof raw === 'string' && /^-?\d{1,16}$/.test(raw) ? Number(raw) : raw
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
  return refuseQuery(name, `an integer not below ${least}`, raw)
}

/** Reads text; null if absent. */
export function readText(raw: unknown, name: string): string | null {
  if (raw === undefined || raw === null || raw === '') return null
  const text = typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : raw
  if (typeof text !== 'string') return refuseQuery(name, 'a text', raw)
  if (!isWellFormedText(text)) return refuseQuery(name, 'a text without NUL characters and lone surrogates', raw)
  return text
}
