/** Wraps results in this generation's envelope. Rows are JSON text and are not parsed. */

import { type ReadResult, rowTextOf } from '../../domain/ports/row-store.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { View } from '../../domain/schema/view.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { warningOf } from './closed-relations.ts'
import type { MetaKey } from './meta.ts'
import type { Read } from './query.ts'

/** Rows as JSON text with the requested counts. */
export type Rows = ReadResult

/** Data of an envelope besides the rows. */
export type EnvelopeFacts = {
  readonly isPublic: boolean
  readonly view: View
  readonly request: Pick<HttpRequest, 'url' | 'origin'>
  /** Number of rows by status; null if not requested. */
  readonly statusCounts: { readonly [status: string]: number } | null
}

/** Builds the body of a read, `{"meta":…,"data":…,"messages":…,"public":true}`, in pieces. */
export function serializeRead(read: Read, rows: Rows, facts: EnvelopeFacts): readonly string[] {
  if (read.single && rows.rowCount === 0) {
    throw new TandemError({ kind: 'item-not-found', collection: read.query.collection })
  }
  const meta = read.meta.size === 0 ? '' : `"meta":${JSON.stringify(toMeta(read, rows, facts))},`
  const data = read.single ? [rowTextOf(rows)] : rows.pieces
  const messages = read.closed === undefined ? '' : `,"messages":${JSON.stringify(read.closed.map(warningOf))}`
  return [`{${meta}"data":`, ...data, `${messages}${facts.isPublic ? ',"public":true' : ''}}`]
}

/** The entries of `meta` by key. */
export type Facts = { readonly [Key in MetaKey]?: unknown }

export function toMeta(read: Read, rows: Rows, envelopeFacts: EnvelopeFacts): Facts {
  const collection = envelopeFacts.view.byCore.get(read.query.collection)?.name ?? read.query.collection
  const type = read.single ? 'item' : 'collection'
  const facts: Facts = read.single
    ? { collection, type, table: collection }
    : {
        collection,
        type,
        table: collection,
        result_count: rows.rowCount,
        total_count: rows.counts.total,
        status_count: envelopeFacts.statusCounts,
        filter_count: rows.counts.filtered,
        ...toPaging(read, rows, envelopeFacts.request),
      }
  const wanted = [...read.meta].filter((key) => facts[key] !== undefined && facts[key] !== null)
  return Object.fromEntries(wanted.map((key) => [key, facts[key]]))
}

function toPaging({ query, meta }: Read, rows: Rows, request: EnvelopeFacts['request']): Facts {
  const { offset } = query.page
  const limit = query.page.limit ?? rows.rowCount
  const count = Math.max(1, limit === 0 ? 1 : Math.ceil((rows.counts.filtered ?? rows.rowCount) / limit))
  const page = Math.min(count, limit === 0 ? 1 : Math.floor(offset / limit) + 1)
  const paging = { limit, offset, page, page_count: count }
  return meta.has('links') ? { ...paging, links: toLinks({ page, count, limit }, request) } : paging
}

type Pages = { readonly page: number; readonly count: number; readonly limit: number }

function toLinks({ page, count, limit }: Pages, request: EnvelopeFacts['request']): object {
  const url = new URL(`${request.origin}${request.url}`)
  const link = (to: number): string | null =>
    count === 1 || to < 1 || to > count ? null : linkTo(url, { page: to, offset: (to - 1) * limit })
  return {
    self: `${url.origin}${url.pathname}`,
    current: linkTo(url, { page }),
    next: link(page + 1),
    previous: link(page - 1),
    first: link(1),
    last: link(count),
  }
}

/** The URL of the request with another page; tokens are removed. */
function linkTo(url: URL, numbers: { readonly [name: string]: number }): string {
  const parameters = new URLSearchParams(url.search)
  parameters.delete('access_token')
  for (const [name, value] of Object.entries(numbers)) parameters.set(name, String(value))
  return `${url.origin}${url.pathname}?${parameters.toString()}`
}
