/**
 * Two applications share one database: the first writes with the current generation, the second reads the same rows with
 * the legacy generation. Run it with `npx node --conditions=tandem-src examples/two-generations.ts`.
 *
 * By default it starts a server on a temporary embedded database with the tables of `bookshop.sql`. With BASE_URL and
 * ADMIN_TOKEN it uses a running server that has these tables.
 */
import { readFile } from 'node:fs/promises'
import { createCurrentClient } from '@tandem/sdk/current'
import { createLegacyClient } from '@tandem/sdk/legacy'
import { openDatabase } from '../src/sql/database.ts'
import { startServer } from './server/start-server.ts'

type Author = { author_id: number; name: string; books: number[] | Book[] }

type Book = {
  book_id: number
  title: string
  published: string | null
  price: string | null
  in_print: boolean
  author_id: number | Author
}

type Bookshop = { authors: Author[]; books: Book[] }

const token = process.env.ADMIN_TOKEN ?? crypto.randomUUID()
const server =
  process.env.BASE_URL === undefined
    ? await startServer(token, { prepare: createTables })
    : { url: process.env.BASE_URL, stop: async () => {} }
try {
  await runExample(server.url)
} finally {
  await server.stop()
}

async function runExample(url: string): Promise<void> {
  const current = createCurrentClient<Bookshop>({ url, token })
  const author = await current.items('authors').create({ name: 'Ursula K. Le Guin' })
  if (author === undefined) throw new Error('the author cannot be read back')
  const written = await current.items('books').createMany([
    { title: 'A Wizard of Earthsea', published: '1968-11-01', price: '9.99', author_id: author.author_id },
    { title: 'The Dispossessed', published: '1974-05-01', price: '11.50', author_id: author.author_id },
  ])
  console.log('Written with the current generation:', written)

  const legacy = createLegacyClient<Bookshop>({ url, token })
  const read = await legacy
    .items('books')
    .read({ fields: ['book_id', 'title', { author_id: ['name'] }], sort: ['book_id'] })
  console.log('Read with the legacy generation:', read)

  const titles = read.map((book) => `${book.title} by ${book.author_id.name}`)
  for (const title of ['A Wizard of Earthsea', 'The Dispossessed']) {
    if (!titles.includes(`${title} by Ursula K. Le Guin`)) throw new Error(`${title} was written but not read`)
  }
}

/** Creates the tables of `bookshop.sql` before the server starts. */
async function createTables(folder: string): Promise<void> {
  const existing = await openDatabase({ kind: 'pglite', dataDir: folder })
  for (const statement of (await readFile(new URL('bookshop.sql', import.meta.url), 'utf8')).split(';\n')) {
    if (statement.trim() !== '') await existing.run({ text: statement, values: [] })
  }
  await existing.close()
}
