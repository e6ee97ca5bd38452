/** A running Directus project as a source, read over its public REST API. */
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { setTimeout as wait } from 'node:timers/promises'
import { type ImportSource, SourceRefusal, type SourceRow } from '../../domain/ports/import-source.ts'
import { readServerModel } from './server-model.ts'

type Address = { readonly url: string; readonly token: string; readonly pageSize?: number }

type Secrets = Pick<ImportSource, 'secrets' | 'sharePasswords'>

/** Attempts per request, for answers that say "later" and broken connections. */
const mostAttempts = 5

/** Statuses of answers that come right later. */
const later: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** `secrets`: reads from the database of the project; null without access to it. */
export function openServer({ url, token, pageSize = 200 }: Address, secrets: Secrets): ImportSource {
  const root = url.replace(/\/+$/, '')
  const ask = (path: string): Promise<Response> =>
    fetchWithRetries(`${root}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const read = async (path: string): Promise<Answer> => (await ask(path)).json() as Promise<Answer>
  return {
    name: root,
    ...secrets,
    snapshot: () => readServerModel(async (path) => (await read(path)).data),
    rows: (wanted) => readPages(read, wanted, pageSize),
    count: (collection, filter) => countRows(read, collection, filter),
    async contents({ id }) {
      try {
        const { body } = await ask(`/assets/${encodeURIComponent(String(id))}?download`)
        return body === null ? Readable.from([]) : Readable.fromWeb(body as WebStream)
      } catch (error) {
        if (error instanceof SourceRefusal) return null
        throw error
      }
    },
  }
}

type Answer = { readonly data: unknown; readonly meta?: { readonly filter_count?: number } }
type Read = (path: string) => Promise<Answer>

async function* readPages(
  read: Read,
  { collection, fields, key, filter }: Parameters<ImportSource['rows']>[0],
  pageSize: number,
): AsyncGenerator<readonly SourceRow[]> {
  const query = new URLSearchParams({ limit: String(pageSize), fields: fields === null ? '*' : fields.join(',') })
  if (filter !== undefined) query.set('filter', JSON.stringify(filter))
  if (key === null) {
    const { data } = await read(`${pathOf(collection)}?${query}`)
    yield toList(data)
    return
  }
  query.set('sort', key)
  // Servers may give fewer rows than asked for, or all of a list again and again.
  for (let page = 1, before: unknown; ; page += 1) {
    query.set('page', String(page))
    const rows = toList((await read(`${pathOf(collection)}?${query}`)).data).filter((row) => row[key] != null)
    const first = rows[0]?.[key]
    if (first === undefined || first === before) return
    yield rows
    before = first
  }
}

/** Null where the server refuses. */
async function countRows(read: Read, collection: string, filter: object | undefined): Promise<number | null> {
  try {
    const query = new URLSearchParams({ limit: '1', meta: 'filter_count' })
    if (filter !== undefined) query.set('filter', JSON.stringify(filter))
    const { data, meta } = await read(`${pathOf(collection)}?${query}`)
    return meta?.filter_count ?? toList(data).length
  } catch (error) {
    if (error instanceof SourceRefusal) return null
    throw error
  }
}

const pathOf = (collection: string): string => {
  const system = /^directus_(\w+)$/.exec(collection)?.[1]
  return system === undefined ? `/items/${encodeURIComponent(collection)}` : `/${system}`
}

/** A singleton is one object. */
function toList(data: unknown): readonly SourceRow[] {
  if (Array.isArray(data)) return data as readonly SourceRow[]
  return data === null || data === undefined ? [] : [data as SourceRow]
}

/** Fetches with retries for failures that may pass. Throws `SourceRefusal` for a refusal. */
async function fetchWithRetries(address: string, options: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(address, options).catch((error: Error) => error)
    const isLast = attempt === mostAttempts
    if (response instanceof Error) {
      if (isLast) throw new Error(`GET ${address} failed: ${causeOf(response)}`, { cause: response })
    } else if (response.ok) return response
    else if (!later.has(response.status) || isLast) throw await toError(address, response)
    else await response.body?.cancel()
    const wanted = response instanceof Error ? 0 : Number(response.headers.get('retry-after') ?? 0)
    await wait(Math.min(60_000, Math.max(wanted * 1000, 200 * 2 ** attempt)))
  }
}

/** What stopped a request before its answer: the error that `fetch` wraps. */
const causeOf = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message)

async function toError(address: string, response: Response): Promise<Error> {
  const message = messageIn(await response.text())
  const isRefused = response.status === 401 || (response.status === 403 && address.endsWith('/schema/snapshot'))
  const hint = isRefused ? ' Is --token the static token of an administrator there?' : ''
  const text = `GET ${address.replace(/\?.*$/, '')} answered with ${response.status}: ${message}${hint}`
  const isAbsent = response.status === 404
  return isAbsent || response.status === 403 ? new SourceRefusal(text, { isAbsent }) : new Error(text)
}

/** The message of an error in JSON, or the beginning of another answer. */
function messageIn(text: string): string {
  try {
    const { errors } = JSON.parse(text) as { readonly errors?: readonly { readonly message?: unknown }[] }
    const message = errors?.[0]?.message
    if (typeof message === 'string') return message
  } catch {
    // Not every answer is JSON.
  }
  return text.slice(0, 300)
}
