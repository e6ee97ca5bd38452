/** Long lists, part by part. */
import type { RequestOptions } from './client.ts'

export type EachOptions = RequestOptions & {
  /** Number of items per request; 100 by default. */
  readonly pageSize?: number
  /** Pages begin behind the last item of the page before, whatever others create or delete. Only the current generation. */
  readonly byCursor?: boolean
}

type Page = { readonly limit?: number | undefined; readonly offset?: number | undefined }

/**
 * Yields the items of a list and requests further ones as they are needed. Ends after an empty page, because a server may
 * give fewer items than it is asked for. Items that others create or delete meanwhile move the pages: sort by the key,
 * and filter by it, where that matters.
 */
export async function* eachItem<Item>(
  read: (query: object, options?: RequestOptions) => Promise<readonly Item[]>,
  query: Page = {},
  { pageSize = 100, byCursor: _byCursor, ...options }: EachOptions = {},
): AsyncGenerator<Item, void, undefined> {
  if (!(pageSize >= 1)) throw new TypeError(`Expected "pageSize" to be at least 1 but received ${pageSize}.`)
  const { limit = -1, offset: start = 0 } = query
  const end = limit < 0 ? Number.POSITIVE_INFINITY : start + limit
  for (let offset = start; offset < end; ) {
    const items = await read({ ...query, limit: Math.min(pageSize, end - offset), offset }, options)
    yield* items
    if (items.length === 0) return
    offset += items.length
  }
}

/**
 * The same by cursors: items that others create or delete meanwhile move no page, and late pages cost what early ones do.
 * The list is sorted by fields of the collection itself, and its key must be readable.
 */
export async function* eachByCursor<Item>(
  read: (query: object, options?: RequestOptions) => Promise<readonly Item[]>,
  query: Page & { readonly fields?: unknown } = {},
  { pageSize = 100, byCursor: _byCursor, ...options }: EachOptions = {},
): AsyncGenerator<Item, void, undefined> {
  if (!(pageSize >= 1)) throw new TypeError(`Expected "pageSize" to be at least 1 but received ${pageSize}.`)
  if (query.offset !== undefined) throw new TypeError('Expected no "offset" beside "byCursor".')
  const { limit = -1, fields } = query
  const own = Array.isArray(fields) ? fields : [fields ?? '*']
  const asked = own.includes(cursorName) ? own : [...own, cursorName]
  let cursor: string | undefined
  for (let left = limit < 0 ? Number.POSITIVE_INFINITY : limit; left > 0; ) {
    const page = {
      ...query,
      fields: asked,
      limit: Math.min(pageSize, left),
      ...(cursor === undefined ? {} : { cursor }),
    }
    const items = (await read(page, options)) as readonly (Item & { readonly [cursorName]?: string })[]
    for (const { [cursorName]: place, ...item } of items) {
      cursor = place
      yield (own === asked ? { ...item, [cursorName]: place } : item) as unknown as Item
    }
    if (items.length === 0 || cursor === undefined) return
    left -= items.length
  }
}

/** The name of an item's place in the order of its list. */
const cursorName = '$cursor'

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
