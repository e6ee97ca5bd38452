import { batch, createCurrentClient, type Hooks, webStorage } from '@tandem/sdk/current'

type Schema = { articles: { id: number; title: string; status: string }[] }

/** Imports articles in parts of 500, and counts those that are published, page by page. */
export async function importArticles(
  url: string,
  token: string,
  articles: readonly { title: string; status: string }[],
) {
  const client = createCurrentClient<Schema>({ url, token })
  const created = await batch(articles, (part) => client.items('articles').createMany(part), { size: 500 })

  let published = 0
  const query = { fields: ['id'], filter: { status: { _eq: 'published' } }, sort: ['id'] } as const
  for await (const _ of client.items('articles').each(query, { pageSize: 200 })) published++
  return { created: created.length, published }
}

/** A client of a page: the session outlives a reload, all tabs share it, and slow answers are reported. */
export function pageClient(url: string, report: (text: string) => void) {
  const started = new WeakMap<object, number>()
  const hooks: Hooks = {
    onRequest: (request) => void started.set(request, Date.now()),
    onResponse: (response, request) => {
      const took = Date.now() - (started.get(request) ?? 0)
      if (took > 1000) report(`${request.method} ${request.operation.path}: ${response.status} after ${took} ms`)
    },
  }
  return createCurrentClient<Schema>({ url, storage: webStorage(), ...hooks })
}
