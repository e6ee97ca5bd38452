/** Secrets and headers of webhooks, which the files of a project only refer to. */
import type { Entry } from '../../domain/ports/configuration.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'

/** The values that plans do not show. */
export const hiddenValues: ReadonlySet<string> = new Set(['secret', 'headers'])

/** A text that stands for the value of a variable. */
const isReference = (text: string): boolean => text.startsWith('$env:')

type Header = { readonly header: string; readonly value: string }

const headersOf = ({ headers }: Entry): readonly Header[] | null =>
  Array.isArray(headers) ? (headers as readonly Header[]) : null

/**
 * Names variables of the environment in place of the values.
 *
 * @example variableOf('SECRET', 'Search index') // 'WEBHOOK_SECRET_SEARCH_INDEX'
 */
const variableOf = (...words: readonly string[]): string =>
  `WEBHOOK_${words
    .join('_')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')}`

/** The webhook as files show it. */
export function withReferences(name: string, entry: Entry): Entry {
  const { secret, headers: _headers, ...rest } = entry
  const headers = headersOf(entry)?.map(({ header }) => ({
    header,
    value: `$env:${variableOf('HEADER', name, header)}`,
  }))
  return {
    name,
    ...rest,
    ...(headers === undefined ? {} : { headers }),
    ...(secret === undefined ? {} : { secret: `$env:${variableOf('SECRET', name)}` }),
  }
}

/** A webhook keeps its secret and the values of its headers, unless the file has others. */
export function withStoredSecrets(title: string, entry: Entry, stored: Entry): Entry {
  const { secret, headers: _headers, ...rest } = entry
  const chosen = typeof secret === 'string' && !isReference(secret) ? secret : stored['secret']
  const storedValues = new Map(headersOf(stored)?.map(({ header, value }) => [header.toLowerCase(), value]))
  const headers = headersOf(entry)?.map(({ header, value }) => {
    const used = isReference(value) ? storedValues.get(header.toLowerCase()) : value
    if (used !== undefined) return { header, value: used }
    const expected = `Expected the variable ${value.slice('$env:'.length)} for the header "${header}" of ${title}`
    throw invalidPayload('headers', `${expected}, which is not stored yet, but received none`)
  })
  return {
    ...rest,
    ...('headers' in entry ? { headers: headers ?? entry['headers'] } : {}),
    ...(chosen === undefined ? {} : { secret: chosen }),
  }
}
