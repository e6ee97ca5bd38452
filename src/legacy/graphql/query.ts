/** What GraphQL asks of one collection → the reads that answer it. */
import { and, matchAll } from '../../domain/query/filter.ts'
import type { Selected, Selection } from '../../domain/query/query.ts'
import type { Asked } from '../../graphql/asked.ts'
import { parseArchive } from '../wire/archive.ts'
import { toText, toWords } from '../wire/lists.ts'
import { fieldNamed, keyOf, type Place, relatedCollection } from '../wire/place.ts'
import { filterByKeys, parseQuery, type Read } from '../wire/query.ts'
import { selectRelated, type Walk } from '../wire/selection.ts'
import { toFilter } from './filter.ts'

/** One list of items: what is asked of each, and the read. */
export type ListRead = { readonly asked: Asked | null; readonly read: Read }

/** A read for each `data` that is asked for, and one for `meta` alone; the first of them counts. */
export function toReads(asked: Asked, collection: string, place: Place): readonly [ListRead, ...ListRead[]] {
  const [first, ...others] = asked.fields.filter(({ name }) => name === 'data')
  const facts = asked.fields.flatMap(({ name, fields }) => (name === 'meta' ? fields : []))
  const meta = facts.map(({ name }) => name).filter((name) => !name.startsWith('__'))
  const read = (each: Asked | null, words: readonly string[]): ListRead => ({
    asked: each,
    read: toRead({ args: asked.args, asked: each, meta: words }, collection, place),
  })
  return [read(first ?? null, meta), ...others.map((each) => read(each, []))]
}

type Wanted = { readonly args: Asked['args']; readonly asked: Asked | null; readonly meta: readonly string[] }

function toRead({ args, asked, meta }: Wanted, collection: string, place: Place): Read {
  const { id, limit, offset, lang, filter } = args
  const frame = parseQuery({ limit: limit ?? undefined, offset: offset ?? undefined, meta }, collection, place)
  const languages = toWords(lang, 'lang')
  const walk: Walk = { ...place, languages: languages.length === 0 || languages.includes('*') ? null : languages }
  const selection = asked === null ? [keySelection(collection, place)] : toSelection(asked.fields, collection, walk)
  const byKey = id == null ? matchAll : filterByKeys([toText(id)], collection, place)
  return {
    ...frame,
    query: {
      ...frame.query,
      selection,
      filter: and(byKey, toFilter(filter, collection, place)),
      archive: parseArchive([], collection, selection, place),
    },
  }
}

/** Rows have to be read to be counted. */
function keySelection(collection: string, place: Place): Selected {
  const isKeyed = place.schema.collections.get(collection)?.keyColumns.length === 1
  if (!isKeyed) return { kind: 'constant', key: 'row', text: collection }
  return { kind: 'field', key: 'key', field: keyOf(place, collection).field.name }
}

const toSelection = (asked: readonly Asked[], collection: string, walk: Walk): Selection =>
  asked.map((each) => toSelected(each, collection, walk))

function toSelected({ key, name, parent, fields }: Asked, collection: string, walk: Walk): Selected {
  if (name === '__typename') return { kind: 'constant', key, text: parent }
  const { field } = fieldNamed(walk, collection, name)
  const related = relatedCollection(walk, field)
  if (related === null || fields.length === 0) return { kind: 'field', key, field: field.name }
  return selectRelated({ key, field, related, selection: toSelection(fields, related, walk) }, walk)
}
