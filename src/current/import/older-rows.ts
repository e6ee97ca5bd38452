/** Rows that versions before 11 keep elsewhere or that later ones have no longer: comments, changes of versions, webhooks. */
import {
  type ImportSource,
  type SourceOptions,
  SourceRefusal,
  type SourceRow,
} from '../../domain/ports/import-source.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { sha256 } from '../../tokens/digest.ts'
import { wordOf } from './session.ts'

type Pages = AsyncIterable<readonly SourceRow[]>

export const olderComments = { collection: 'directus_activity', filter: { action: { _eq: 'comment' } } } as const

/** Comments, or the activity that stands for them. */
export async function* commentsOf(source: ImportSource, options: SourceOptions): Pages {
  try {
    yield* source.rows(options)
  } catch (error) {
    if (!(error instanceof SourceRefusal)) throw error
    for await (const rows of source.rows({ ...options, ...olderComments })) yield rows.flatMap(toComment)
  }
}

function toComment(row: SourceRow): readonly SourceRow[] {
  const { action, collection, item, comment, user, timestamp } = row
  if (action !== 'comment' || comment == null) return []
  return [{ id: lastingId(row), collection, item, comment, user_created: user, date_created: timestamp }]
}

/** Comments have uuids here. The same activity gets the same one in each import. */
function lastingId({ id, collection, item, timestamp }: SourceRow): string {
  const digest = sha256(JSON.stringify([id, collection, item, timestamp]))
  return digest.replace(/^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
}

/** Webhooks, which are sent what administrators may read, as they were there. Later versions have none. */
export async function* webhooksOf(source: ImportSource, options: SourceOptions): Pages {
  if (((await source.count(options.collection)) ?? 0) === 0) return
  for await (const rows of source.rows(options)) yield rows.map(toWebhook)
}

function toWebhook({ id, name, method, url, status, data, actions, collections, headers }: SourceRow): SourceRow {
  return {
    id,
    name,
    method,
    url,
    status,
    data: data ?? true,
    actions: namesOf(actions).filter((action) => /^(?:create|update|delete)$/.test(action)),
    collections: namesOf(collections).map((collection) => collection.replace(/^directus_/, 'platform_')),
    headers: headers ?? null,
    role: seedIds.administratorRole,
  }
}

/** A list, or names with commas between them. */
const namesOf = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.map(String) : typeof list === 'string' && list !== '' ? list.split(',') : []

/** Versions with their changes. */
export async function* versionsOf(source: ImportSource, options: SourceOptions): Pages {
  let saves: ReadonlyMap<string, SourceRow> | null = null
  for await (const rows of source.rows(options)) {
    if (rows.every((row) => 'delta' in row)) yield rows
    else {
      const existing = (saves ??= await readSaves(source))
      yield rows.map((row) => ({ ...row, delta: existing.get(wordOf(row['id'])) ?? null }))
    }
  }
}

/** The merged changes of all saves of a version, by version. */
async function readSaves(source: ImportSource): Promise<ReadonlyMap<string, SourceRow>> {
  const fields = ['id', 'version', 'data', 'delta']
  const options: SourceOptions = {
    collection: 'directus_revisions',
    fields,
    key: 'id',
    filter: { version: { _nnull: true } },
  }
  const latest = new Map<string, SourceRow>()
  for await (const rows of source.rows(options)) {
    for (const { version, data, delta } of rows)
      latest.set(wordOf(version), { ...latest.get(wordOf(version)), ...((delta ?? data) as SourceRow) })
  }
  return latest
}
