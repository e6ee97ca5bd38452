/** Tests that compare what differs between Postgres and MariaDB, or that are about one of them alone. */
import { test } from 'vitest'

export const isOnMariaDb = /^(mysql|mariadb):/.test(process.env['TEST_DATABASE_URL'] ?? '')

/**
 * The value that is expected of the database of the tests.
 * @example expect(column.dataType).toBe(perVendor({ postgres: 'bytea', mariadb: 'longblob' }))
 */
export const perVendor = <T>({ postgres, mariadb }: { readonly postgres: T; readonly mariadb: T }): T =>
  isOnMariaDb ? mariadb : postgres

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
