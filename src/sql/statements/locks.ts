/** Locks between transactions. Each is released when its transaction ends. */
import { change, firstValue, type Runner } from './answers.ts'

const numbers = { access: 7_265_001, sort: 7_265_002, history: 7_265_003, singleton: 7_265_005 } as const

/** Advisory locks belong to the database. With the schema, the projects of one database do not wait for each other. */
const schema = `hashtext(coalesce(current_schema(), ''))`

/** Who has changed the row of a name has the lock; of two on different nodes of a cluster, the first one to commit. */
const row = (name: string) => ({
  mysql: `insert into platform_locks (name) values (${name}) on duplicate key update turn = turn + 1`,
})

/** Waits until no other transaction changes anybody's rights. */
export function lockAccess(db: Runner): Promise<void> {
  const text = `select pg_advisory_xact_lock($1, ${schema})`
  return change(db, { task: 'lockAccess', text, texts: row(`'access'`), values: [numbers.access], name: 'access-turn' })
}

/** Waits until no other transaction has the lock of the collection. */
const lockCollection = (kind: 'sort' | 'singleton', task: string) => (db: Runner, collection: string) => {
  const text = `select pg_advisory_xact_lock($1, hashtext(coalesce(current_schema(), '') || '.' || $2::text))`
  const texts = row(`left(concat('${kind}.', $2), 128)`)
  return change(db, { task, text, texts, values: [numbers[kind], collection], name: `${kind}-turn` })
}

/** For the order of its rows. */
export const lockSorting = lockCollection('sort', 'lockSorting')

/** For the creation of the row of a singleton. */
export const lockSingleton = lockCollection('singleton', 'lockSingleton')

/** Whether this transaction got the lock for the deletion of old history. It does not wait. */
export async function tryLockHistory(db: Runner): Promise<boolean> {
  const text = `select pg_try_advisory_xact_lock($1, ${schema}) as mine`
  const texts = { mysql: `select true as mine from platform_locks where name = 'history' for update skip locked` }
  return Boolean(await firstValue(db, { text, texts, values: [numbers.history] }))
}

/** Waits until no other transaction adds rows to the table. Reads are not blocked. */
const lockTable = (name: 'users' | 'roles', task: string) => (db: Runner) => {
  const text = `lock table platform_${name} in share row exclusive mode`
  return change(db, { task, text, texts: row(`'${name}'`), values: [] })
}

export const lockUsers = lockTable('users', 'lockUsers')
export const lockRoles = lockTable('roles', 'lockRoles')

/** Waits until no other transaction registers relations. */
export const lockRelations = (db: Runner): Promise<void> =>
  change(db, { text: 'lock table platform_relations in exclusive mode', texts: row(`'relations'`), values: [] })
