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
export async function lockAccess(db: Runner): Promise<void> {
  const text = `select pg_advisory_xact_lock($1, ${schema})`
  await change(db, { task: 'lockAccess', text, texts: row(`'access'`), values: [numbers.access], name: 'access-turn' })
}

/** Waits until no other transaction sorts the rows of the collection. */
export async function lockSorting(db: Runner, collection: string): Promise<void> {
  const text = `select pg_advisory_xact_lock($1, hashtext(coalesce(current_schema(), '') || '.' || $2::text))`
  await change(db, {
    task: 'lockSorting',
    text,
    texts: row(`left(concat('sort.', $2), 128)`),
    values: [numbers.sort, collection],
    name: 'sort-turn',
  })
}

/** Waits until no other transaction creates the row of the singleton. */
export async function lockSingleton(db: Runner, collection: string): Promise<void> {
  const text = `select pg_advisory_xact_lock($1, hashtext(coalesce(current_schema(), '') || '.' || $2::text))`
  await change(db, {
    task: 'lockSingleton',
    text,
    texts: row(`left(concat('singleton.', $2), 128)`),
    values: [numbers.singleton, collection],
    name: 'singleton-turn',
  })
}

/** Whether this transaction got the lock for the deletion of old history. It does not wait. */
export async function tryLockHistory(db: Runner): Promise<boolean> {
  const text = `select pg_try_advisory_xact_lock($1, ${schema}) as mine`
  const texts = { mysql: `select true as mine from platform_locks where name = 'history' for update skip locked` }
  return Boolean(await firstValue(db, { text, texts, values: [numbers.history] }))
}

/** Waits until no other transaction adds users. Reads are not blocked. */
export async function lockUsers(db: Runner): Promise<void> {
  const text = 'lock table platform_users in share row exclusive mode'
  await change(db, { task: 'lockUsers', text, texts: row(`'users'`), values: [] })
}

/** Waits until no other transaction adds roles. Reads are not blocked. */
export async function lockRoles(db: Runner): Promise<void> {
  const text = 'lock table platform_roles in share row exclusive mode'
  await change(db, { task: 'lockRoles', text, texts: row(`'roles'`), values: [] })
}

/** Waits until no other transaction registers relations. */
export async function lockRelations(db: Runner): Promise<void> {
  await change(db, { text: 'lock table platform_relations in exclusive mode', texts: row(`'relations'`), values: [] })
}
