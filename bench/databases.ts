/** The Postgres server of measurements that make databases of their own. */
import { Client } from 'pg'

/** BENCH_DATABASE_URL. */
export const address = new URL(process.env['BENCH_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres')

export async function onServer<T>(database: string, work: (client: Client) => Promise<T>): Promise<T> {
  const url = new URL(address)
  url.pathname = database
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
