import { createCurrentClient } from '@tandem/sdk/current'

/** The collections of the database. */
type Schema = { articles: Article[]; authors: Author[] }
type Article = { id: number; title: string; author: number | Author | null }
type Author = { id: number; name: string }

/** Writes an author with two articles, all of them or nothing. What comes later can refer to what comes before. */
export async function publish(url: string, token: string, options: { readonly dryRun?: boolean } = {}) {
  const client = createCurrentClient<Schema>({ url, token })
  return client.transaction((tx) => {
    const author = tx.items('authors').create({ name: 'Ann' })
    const [first, second] = ['One', 'Two'].map((title) => tx.items('articles').create({ title, author: author.id }))
    if (first !== undefined) tx.items('articles').update(first.id, { title: 'The first' })
    return { author: author.id, second: second?.id }
  }, options)
}
