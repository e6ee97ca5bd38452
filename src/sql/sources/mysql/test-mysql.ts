/** Scratch databases on the MySQL or MariaDB server in TEST_MYSQL_URL. */
import { createConnection } from 'mysql2/promise'

export type ScratchDatabase = {
  /** For `--from`. */
  readonly url: string
  readonly name: string
  readonly run: (...statements: readonly string[]) => Promise<readonly { readonly [column: string]: unknown }[]>
  readonly drop: () => Promise<void>
}

/** Creates an empty database. What odd installations hold needs a server that does not object to dates of zeros. */
export async function createScratch(): Promise<ScratchDatabase> {
  const server = process.env['TEST_MYSQL_URL']
  if (server === undefined) throw new Error('Expected TEST_MYSQL_URL, as in mysql://root@127.0.0.1:3306')
  const name = `tandem_v8_${crypto.randomUUID().replaceAll('-', '')}`
  const url = new URL(server)
  const connect = async (database?: string) => {
    const connection = await createConnection({
      host: url.hostname,
      port: Number(url.port || 3306),
      user: decodeURIComponent(url.username || 'root'),
      password: decodeURIComponent(url.password),
      charset: 'utf8mb4',
      ...(database === undefined ? {} : { database }),
    })
    await connection.query(
      `set session sql_mode = 'NO_AUTO_VALUE_ON_ZERO', time_zone = '+00:00', foreign_key_checks = 0`,
    )
    return connection
  }
  const run = async (database: string | undefined, statements: readonly string[]) => {
    const connection = await connect(database)
    try {
      let rows: unknown = []
      for (const statement of statements) [rows] = await connection.query(statement)
      return (Array.isArray(rows) ? rows : []) as { readonly [column: string]: unknown }[]
    } finally {
      await connection.end()
    }
  }
  await run(undefined, [`create database \`${name}\` character set utf8mb4`])
  url.pathname = name
  if (url.username === '') url.username = 'root'
  return {
    url: url.href,
    name,
    run: (...statements) => run(name, statements),
    drop: async () => void (await run(undefined, [`drop database \`${name}\``])),
  }
}
