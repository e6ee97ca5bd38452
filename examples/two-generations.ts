/**
 * Two applications, one database: the first writes with the current generation, the second reads the
 * same rows with the legacy one. Run it with `node --conditions=tandem-src examples/two-generations.ts`.
 *
 * It makes an embedded database of its own with the tables of `bookshop.sql`, starts a server on it
 * and stops it at the end. With BASE_URL and ADMIN_TOKEN it uses a running server that has the tables.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createCurrentClient } from '@tandem/sdk/current'
import { createLegacyClient } from '@tandem/sdk/legacy'
import { openDatabase } from '../src/sql/database.ts'

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

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const token = process.env.ADMIN_TOKEN ?? crypto.randomUUID()
const server =
  process.env.BASE_URL === undefined ? await startServer() : { url: process.env.BASE_URL, stop: async () => {} }
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

/** A server on an embedded database that holds the tables of `bookshop.sql`. */
async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-example-'))
  const existing = await openDatabase({ kind: 'pglite', dataDir: folder })
  for (const statement of (await readFile(new URL('bookshop.sql', import.meta.url), 'utf8')).split(';\n')) {
    if (statement.trim() !== '') await existing.run({ text: statement, values: [] })
  }
  await existing.close()
  const child = spawn(process.execPath, [main, 'start'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: folder,
      ADMIN_TOKEN: token,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Tandem serves .* at (http\S+)$/.exec(line)?.[1]
    if (url !== undefined) return { url, stop }
  }
  await stop()
  throw new Error('the server did not start')
}
