/** The tags of cached answers: the collections and rows they were made from. Unknown sources count as all of them. */
import type { Context, Database, Statement } from '../domain/ports/context.ts'

/** Tag of an answer that may depend on anything. Every purge includes it. */
export const unknown = '?'

/** The lists of a collection, and whatever else has more than one of its rows. */
const ofCollection = (name: string): string => `c:${name}`

const ofRow = (name: string, key: string): string => `r:${name}:${key}`

/** Any row by itself: for writes of which it is not known which rows they change. */
const ofAnyRow = (name: string): string => `a:${name}`

export type Recorder = { readonly db: Database; readonly tags: (row: AnsweredRow | null) => readonly string[] }

/** A row that the operation reads by its key. */
export type AnsweredRow = { readonly collection: string; readonly key: string }

export function recordReads(db: Database): Recorder {
  const reads: (readonly string[] | null)[] = []
  const recording = (inner: Database): Database => ({
    ...inner,
    run: (statement) => {
      reads.push(sourcesOf(statement))
      return inner.run(statement)
    },
    runLast: (statement) => {
      reads.push(null)
      return inner.runLast(statement)
    },
    ...(inner.stream === undefined
      ? {}
      : {
          stream: (statement, onPage) => {
            reads.push(null)
            return inner.stream?.(statement, onPage) ?? Promise.resolve()
          },
        }),
    transaction: (work) => inner.transaction((own) => work(recording(own))),
  })
  return { db: recording(db), tags: (row) => tagsOf(reads, row) }
}

const sourcesOf = ({ reads }: Statement): readonly string[] | null => reads ?? null

function tagsOf(readTags: readonly (readonly string[] | null)[], row: AnsweredRow | null): readonly string[] {
  if (readTags.some((reads) => reads === null)) return [unknown]
  const all = readTags.flatMap((reads) => reads ?? [])
  // One table in one statement: a row by its key, and nothing beside it.
  const [only, ...others] = all
  if (row !== null && readTags.length === 1 && others.length === 0 && only === row.collection)
    return [ofRow(row.collection, row.key), ofAnyRow(row.collection)]
  return [...new Set(all)].toSorted().map(ofCollection)
}

/** Tags of the rows that a write has changed; null if any row may have changed. */
export function tagsOfChanges(
  { schema }: Pick<Context, 'schema'>,
  changed: NonNullable<Context['changed']>,
  hasOwnEffects: (table: string) => boolean,
): readonly string[] | null {
  const collections = [...changed.keys()].map((name) => schema.collections.get(name))
  const isPlain = collections.every((each) => {
    const table = each?.table ?? null
    return (
      each !== undefined && table !== null && table.kind === undefined && (each.system || !hasOwnEffects(table.name))
    )
  })
  if (changed.size === 0 || !isPlain) return null
  const written = [...changed].flatMap(([name, keys]) => [
    ofCollection(name),
    ...(keys === null ? [ofAnyRow(name)] : [...keys].map((key) => ofRow(name, key))),
  ])
  const beside = [...schema.collections.values()].filter(({ name, system }) => system && !apart.has(name))
  return [...new Set([...written, ...beside.flatMap(({ name }) => [ofCollection(name), ofAnyRow(name)]), unknown])]
}

/** System collections that no write of items changes unless it names them; others hold history and what hangs on items. */
const apart: ReadonlySet<string> = new Set([
  'platform_users',
  'platform_roles',
  'platform_policies',
  'platform_access',
  'platform_permissions',
  'platform_role_levels',
  'platform_files',
  'platform_folders',
  'platform_settings',
  'platform_presets',
  'platform_collections',
  'platform_fields',
  'platform_relations',
  'platform_translations',
])
