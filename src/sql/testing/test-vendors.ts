/** Tests that compare what differs between Postgres, MariaDB and MySQL, or that are about one of them alone. */
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { test } from 'vitest'

const server = process.env['TEST_DATABASE_URL'] ?? ''

/** Whether the database of the tests is one of MariaDB or MySQL. */
export const isOnMariaDb = /^(mysql|mariadb):/.test(server)

/** Whether it is one of MySQL. */
export const isOnMySql = isOnMariaDb && !(await readVersion()).includes('MariaDB')

async function readVersion(): Promise<string> {
  const connection = await createConnection({ uri: server })
  const [[row]] = await connection.query<RowDataPacket[]>('select version() as version')
  await connection.end()
  return String(row?.['version'])
}

type PerVendor<T> = { readonly postgres: T; readonly mariadb: T; readonly mysql?: T }

/**
 * The value that is expected of the database of the tests; of MySQL the same as of MariaDB, unless it has its own.
 * @example expect(column.dataType).toBe(perVendor({ postgres: 'bytea', mariadb: 'longblob' }))
 */
export const perVendor = <T>({ postgres, mariadb, ...own }: PerVendor<T>): T => {
  if (isOnMySql && 'mysql' in own) return own.mysql
  return isOnMariaDb ? mariadb : postgres
}

/**
 * A test of what MariaDB does not have: there it is no test. The reason is for readers.
 * @example testOnPostgres('MariaDB has no materialized views')('a view is refreshed', async () => { … })
 */
export const testOnPostgres =
  (_why: string) =>
  (name: string, work: () => Promise<void> | void): void => {
    if (!isOnMariaDb) test(name, work)
  }

const typesOnMariaDb: { readonly [dataType: string]: string } = {
  'character varying': 'varchar',
  text: 'longtext',
  integer: 'int',
  real: 'float',
  numeric: 'decimal',
  'double precision': 'double',
  'timestamp without time zone': 'datetime',
  'timestamp with time zone': 'timestamp',
  'time without time zone': 'time',
  uuid: 'char',
  bytea: 'longblob',
}

/** What the catalog of the database calls the type that Postgres calls so. */
export const dataTypeOf = (onPostgres: string): string =>
  perVendor({ postgres: onPostgres, mariadb: typesOnMariaDb[onPostgres] ?? onPostgres })
