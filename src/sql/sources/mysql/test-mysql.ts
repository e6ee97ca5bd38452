/**
 * Scratch databases on the MySQL or MariaDB server in TEST_MYSQL_URL. Where that is one that Tandem reads and does not serve,
 * such as MySQL 5.6, TEST_MYSQL_SERVED_URL is one that it serves.
 */
import { createConnection } from 'mysql2/promise'

export type ScratchDatabase = {
  /** For `--from`. */
  readonly url: string
  readonly name: string
  /** Whether its server is one of MySQL 5.6. */
  readonly isOld: boolean
  readonly run: (...statements: readonly string[]) => Promise<readonly { readonly [column: string]: unknown }[]>
  readonly drop: () => Promise<void>
}

/** Creates an empty database to read. What odd installations hold needs a server that does not object to dates of zeros. */
export const createScratch = (): Promise<ScratchDatabase> => createOn(process.env['TEST_MYSQL_URL'])

/** Creates an empty database to serve. */
export const createServedScratch = (): Promise<ScratchDatabase> =>
  createOn(process.env['TEST_MYSQL_SERVED_URL'] ?? process.env['TEST_MYSQL_URL'])

async function createOn(server: string | undefined): Promise<ScratchDatabase> {
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
  let isOld = false
  const run = async (database: string | undefined, statements: readonly string[]) => {
    const connection = await connect(database)
    try {
      let rows: unknown = []
      for (const statement of statements) [rows] = await connection.query(isOld ? inOldWords(statement) : statement)
      return (Array.isArray(rows) ? rows : []) as { readonly [column: string]: unknown }[]
    } finally {
      await connection.end()
    }
  }
  isOld = await run(undefined, ['select version() as v']).then(([row]) => /^5\.[0-6]\./.test(String(row?.['v'])))
  await run(undefined, [`create database \`${name}\` character set utf8mb4`])
  url.pathname = name
  if (url.username === '') url.username = 'root'
  return {
    url: url.href,
    name,
    isOld,
    run: (...statements) => run(name, statements),
    drop: async () => void (await run(undefined, [`drop database \`${name}\``])),
  }
}

/** MySQL 5.6 has no type for JSON, no expressions as defaults, no checks, and no index of places in its usual tables. */
const inOldWords = (statement: string): string =>
  statement.startsWith('create table')
    ? statement
        .replaceAll(/ json\b/g, ' longtext')
        .replaceAll(/ default \(.+?\)|,\s+(constraint \w+ check|spatial key \w+) \(.+?\)/g, '')
    : statement
