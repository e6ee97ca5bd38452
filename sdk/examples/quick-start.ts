import { createCurrentClient, type DateTime, isApiError } from '@tandem/sdk/current'
import { createLegacyClient } from '@tandem/sdk/legacy'

/** The collections of the database: a collection is an array of its items, a relation its key or its item. */
type Schema = { articles: Article[]; authors: Author[] }
type Article = { id: number; title: string; status: string; published: DateTime | null; author: number | Author | null }
type Author = { id: number; name: string; articles: number[] | Article[] }

/** Writes an article through the current generation and reads it through both. */
export async function quickStart(url: string, token: string) {
  const current = createCurrentClient<Schema>({ url, token })
  const legacy = createLegacyClient<Schema>({ url, token })

  const created = await current.items('articles').create({ title: 'Riding in two', status: 'published', author: 1 })
  const key = created?.id ?? 0

  // The result has exactly the requested fields: { title: string; author: { name: string } | null }
  const article = await current.items('articles').readOne(key, { fields: ['title', { author: ['name'] }] })

  // Filters and sorts accept only existing fields and matching operators.
  const found = await legacy.items('articles').read({
    fields: 'id,title,author.name',
    filter: { title: { contains: 'two' }, status: { eq: 'published' } },
    sort: ['-id'],
  })

  // Errors are typed, with the codes of their generation.
  await current.items('articles').delete(key)
  const gone = await current
    .items('articles')
    .readOne(key)
    .catch((error: unknown) => (isApiError(error, 'FORBIDDEN') ? 'gone' : Promise.reject(error)))

  return { article, found, gone }
}
