/** A script for Node, Deno or Bun: writes all articles as lines of JSON. `TANDEM_URL=… TANDEM_TOKEN=… node node-script.ts` */
import { createCurrentClient, isApiError } from '@tandem/sdk/current'

type Schema = { articles: { id: number; title: string }[] }

const client = createCurrentClient<Schema>({
  url: process.env['TANDEM_URL'] ?? 'http://127.0.0.1:8055',
  token: process.env['TANDEM_TOKEN'] ?? '',
  retry: { times: 5 },
})

try {
  for await (const article of client.items('articles').each({ fields: ['id', 'title'], sort: ['id'] })) {
    console.log(JSON.stringify(article))
  }
} catch (error) {
  if (!isApiError(error)) throw error
  console.error(`${error.message} (${error.status} ${error.code}, request ${error.requestId})`)
  process.exitCode = 1
}
