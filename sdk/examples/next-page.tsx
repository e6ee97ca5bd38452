/** Next.js, `app/articles/page.tsx`: a page that the server renders, cached for a minute. */
import { createCurrentClient } from '@tandem/sdk/current'

type Schema = { articles: { id: number; title: string; author: number | { id: number; name: string } | null }[] }

/** What Next.js reads from the options of `fetch`. */
type Cached = RequestInit & { readonly next: { readonly revalidate: number; readonly tags: readonly string[] } }

const cached: Cached = { next: { revalidate: 60, tags: ['articles'] } }

const client = createCurrentClient<Schema>({
  url: process.env['TANDEM_URL'] ?? 'http://127.0.0.1:8055',
  token: process.env['TANDEM_TOKEN'] ?? '',
  fetch: (input, init) => fetch(input, { ...init, ...cached }),
})

// oxlint-disable-next-line import/no-default-export -- Next.js finds a page by it
export default async function Page() {
  const articles = await client.items('articles').read({ fields: ['id', 'title', { author: ['name'] }], limit: 20 })
  return (
    <ul>
      {articles.map(({ id, title, author }) => (
        <li key={id}>
          {title}
          {author === null ? null : `, ${author.name}`}
        </li>
      ))}
    </ul>
  )
}
