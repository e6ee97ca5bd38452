/** List parameters: comma-separated text, bracket arrays, or both. */

import { refuseQuery } from '../../domain/conditions/literals.ts'
import { splitNames } from '../../domain/query/field-path.ts'

/**
 * Splits a list parameter into trimmed words, without empty ones.
 * @example toWords('id, title', 'fields') // ['id', 'title']
 * @example toWords(['id', 'author.name,title'], 'fields') // ['id', 'author.name', 'title']
 */
export function toWords(raw: unknown, name: string, split = splitWords): readonly string[] {
  if (raw === undefined || raw === null) return []
  if (typeof raw === 'string') return raw.includes(',') ? split(raw) : raw.trim() === '' ? [] : [raw.trim()]
  if (typeof raw === 'number' || typeof raw === 'boolean') return [String(raw)]
  return members(raw).flatMap((member) => {
    if (typeof member === 'object') return refuseQuery(name, 'a comma-separated list', member)
    return split(toText(member))
  })
}

/** The same for names of fields, in which a backslash may stand before a comma. */
export const toNames = (raw: unknown, name: string): readonly string[] => toWords(raw, name, splitNames)

/**
 * Splits a list operand. Commas separate values in text; array elements stay whole.
 * @example toValues('1,2') // ['1', '2']
 */
export function toValues(raw: unknown): readonly unknown[] {
  if (typeof raw === 'string') return raw.split(',').map((part) => part.trim())
  return typeof raw === 'object' && raw !== null ? members(raw) : [raw]
}

/** The elements of an array, also of one written with indices (`a[25]=x`). */
export function members(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : Object.values(raw as object)
}

/** A scalar as text; anything else is empty. */
export function toText(raw: unknown): string {
  return typeof raw === 'string' ? raw : typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : ''
}

/** Reads an integer within limits; throws an error that names the parameter. */
export function toInteger(raw: unknown, name: string, min: number): number {
  const value = typeof raw === 'string' && /^-?\d{1,15}$/.test(raw.trim()) ? Number(raw) : raw
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min) {
    return refuseQuery(name, `a whole number not below ${min}`, raw)
  }
  return value
}

const splitWords = (text: string): readonly string[] =>
  text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
