/** The world in MariaDB: the same tables and rows, restored by statements. */
import type { Database } from '../src/domain/ports/context.ts'
import { scriptOf } from '../src/sql/testing/mysql-script.ts'
import {
  counted,
  counting,
  emptySql,
  fillSql,
  grantsSql,
  numbered,
  type Person,
  peopleSql,
  plainTablesSql,
  spareSql,
} from './world-data.ts'
import type { WorldDatabase } from './world-database.ts'

const keepStep = (kind: string, condition: string): string =>
  `create trigger keep_step_${kind} before ${kind} on steps for each row begin
  if ${condition} then signal sqlstate '45000' set message_text = 'kept'; end if;
end`

const triggers = [
  keepStep('insert', `new.name <=> 'Refused'`),
  keepStep('update', `new.name <=> 'Refused'`),
  keepStep('delete', `old.name = 'Ship'`),
]

const runs = (db: Database) => async (text: string) => (await db.run({ text, values: [] })).rows

const script = (db: Database, sql: string): Promise<unknown> => db.transaction((inner) => runs(inner)(scriptOf(sql)))

async function makeTables(db: Database): Promise<void> {
  await runs(db)(scriptOf(plainTablesSql))
  for (const text of triggers) await runs(db)(text)
}

const tableNames = async (db: Database): Promise<readonly string[]> => {
  const rows = await runs(db)(
    `select table_name as name from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE'`,
  )
  return (rows as readonly { readonly name: string }[]).map(({ name }) => name)
}

/** Keys begin at 1 again where rows were added. */
async function countAnew(db: Database): Promise<void> {
  const names = counting.map((name) => `'${name}'`).join(', ')
  const rows = await runs(db)(
    `select table_name as name from information_schema.tables
  where table_schema = database() and table_name in (${names}) and auto_increment > 1`,
  )
  for (const { name } of rows as readonly { readonly name: string }[])
    await runs(db)(`alter table "${name}" auto_increment = 1`)
}

async function reset(db: Database): Promise<void> {
  await script(db, emptySql)
  await countAnew(db)
  await script(db, `${fillSql};${spareSql}`)
}

const cleared = ['platform_collections', 'platform_fields', 'platform_relations', 'platform_permissions']

async function restoreModel(db: Database): Promise<void> {
  const own = (await tableNames(db)).filter((name) => !name.startsWith('platform_'))
  await db.transaction(async (inner) => {
    const run = runs(inner)
    await run('set session foreign_key_checks = 0')
    for (const name of own) await run(`drop table "${name}"`)
    for (const name of cleared) await run(`truncate table ${name}`)
    await run('set session foreign_key_checks = 1')
  })
  await makeTables(db)
  await script(db, grantsSql)
}

/** Beyond the keys of spare rows. */
const beyond = [...counted, ...numbered].map((name) => `alter table platform_${name} auto_increment = 1001`).join(';')

const withoutNulls = (row: object) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

export const mysqlWorld: WorldDatabase = {
  async create(db, people: readonly Person[]) {
    await makeTables(db)
    await script(db, peopleSql(people))
    await reset(db)
    await runs(db)(beyond)
  },
  reset,
  restoreModel,
  tableNames,
  readTable: async (db, name) => ((await runs(db)(`select * from "${name}"`)) as readonly object[]).map(withoutNulls),
}
