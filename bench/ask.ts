/** Statements of the benchmark on Postgres and MariaDB. */
import mysql from 'mysql2/promise'
import { Client } from 'pg'

export const isMariaDb = (url: string): boolean => url.startsWith('mysql:')

type Rows = readonly { readonly [column: string]: unknown }[]

/** Runs one or more statements without parameters on a connection of their own. Returns the rows if it is one. */
export async function ask(url: string, text: string): Promise<Rows> {
  return isMariaDb(url) ? askMariaDb(url, text) : askPostgres(url, text)
}

async function askPostgres(url: string, text: string): Promise<Rows> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows as Rows
  } finally {
    await client.end()
  }
}

async function askMariaDb(url: string, text: string): Promise<Rows> {
  const connection = await mysql.createConnection({ uri: url, multipleStatements: true, timezone: 'Z' })
  try {
    await connection.query(`set session sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT', time_zone = '+00:00'`)
    return (await connection.query(text))[0] as unknown as Rows
  } finally {
    await connection.end()
  }
}
