/** Long lists, part by part. */
import type { RequestOptions } from './client.ts'

export type EachOptions = RequestOptions & {
  /** Number of items per request; 100 by default. */
  readonly pageSize?: number
  /** Pages begin behind the last item of the page before, whatever others create or delete. Only the current generation. */
  readonly byCursor?: boolean
}

type Page = {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly fields?: unknown
}

/**
 * Yields the items of a list and requests further ones as they are needed. Ends after an empty page, because a server may
 * give fewer items than it is asked for. Items that others create or delete meanwhile move the pages, unless they are
 * found by cursors.
 */
export async function* eachItem<Item>(
  read: (query: object, options?: RequestOptions) => Promise<readonly Item[]>,
  query: Page = {},
  { pageSize = 100, byCursor, ...options }: EachOptions = {},
): AsyncGenerator<Item, void, undefined> {
  if (!(pageSize >= 1)) throw new TypeError(`Expected "pageSize" to be at least 1 but received ${pageSize}.`)
  const { limit = -1, offset: start = 0, fields = '*' } = query
  const end = limit < 0 ? Number.POSITIVE_INFINITY : start + limit
  const shown = byCursor ? { fields: [fields, '$cursor'].flat() } : {}
  let cursor: string | undefined
  for (let offset = start; offset < end; ) {
    const place = cursor ? { cursor, offset: undefined } : { offset }
    const items = await read({ ...query, ...shown, limit: Math.min(pageSize, end - offset), ...place }, options)
    for (const item of items as readonly (Item & { readonly $cursor?: string })[]) {
      const { $cursor, ...rest } = item
      if (byCursor) cursor = $cursor
      yield byCursor ? (rest as Item) : item
    }
    if (items.length === 0) return
    offset += items.length
  }
}

/**
 * Sends a long list in parts, one after the other, and joins the results. A failed part ends the batch; the parts before
 * it stay written.
 * @param send Writes one part: `(part) => client.items('articles').createMany(part)`.
 * @param size Items per part; 1,000 by default.
 */
export async function batch<Item, Result>(
  items: readonly Item[],
  send: (part: readonly Item[]) => Promise<readonly Result[] | undefined | void>,
  { size = 1000 }: { readonly size?: number } = {},
): Promise<Result[]> {
  if (!(size >= 1)) throw new TypeError(`Expected "size" to be at least 1 but received ${size}.`)
  const results: Result[] = []
  for (let from = 0; from < items.length; from += size) {
    for (const result of (await send(items.slice(from, from + size))) ?? []) results.push(result)
  }
  return results
}
