/** Placeholders in double braces, as in `Hello {{ user.name }}`. */
import { TandemError } from '../../domain/rights/errors.ts'

const placeholder = /\{\{\s*([\w-]+(?:\.[\w-]+)*)\s*\}\}/g

/** Maximum length of a filled text, because a value can occur many times. */
const longest = 500_000

/**
 * Replaces placeholders by values of `data`; dots lead into objects. Values without a text, and missing ones, are
 * empty. In HTML the values are escaped. Throws `unprocessable` for a result that is too long.
 * @example fillPlaceholders('Hello {{ user.name }}', { user: { name: 'Ann' } }, false) // 'Hello Ann'
 */
export function fillPlaceholders(text: string, data: { readonly [name: string]: unknown }, isHtml: boolean): string {
  let grown = text.length
  return text.replaceAll(placeholder, (whole, path: string) => {
    const value = valueAt(data, path.split('.'))
    const shown = isHtml ? escapeHtml(value) : value
    grown += shown.length - whole.length
    if (grown <= longest) return shown
    const reason = `Expected at most ${longest} characters in "body" after its placeholders are replaced`
    throw new TandemError({ kind: 'unprocessable', reason })
  })
}

function valueAt(data: unknown, [name = '', ...rest]: readonly string[]): string {
  const value: unknown =
    typeof data === 'object' && data !== null && Object.hasOwn(data, name) ? Reflect.get(data, name) : undefined
  if (rest.length > 0) return valueAt(value, rest)
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? `${value}` : ''
}

const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
