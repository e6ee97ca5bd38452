/** Notifications on the channels of a database. */
import { change, firstValue, type Runner } from '../answers.ts'

/** Channel for operators: everybody who uses the database listens, whatever the schema. */
export const channel = 'tandem'

/** Channel of one schema, so that the projects of a database do not wake each other. Names of channels are short. */
const own = `'${channel}:' || md5(coalesce(current_schema(), ''))`
const ownOnMySql = `'${channel}:' || left(sha2(database(), 256), 32)`

/** The channel of the connection's schema. */
export async function readChannel(db: Runner): Promise<string> {
  const texts = { mysql: `select ${ownOnMySql} as channel` }
  return (await firstValue<string>(db, { text: `select ${own} as channel`, texts, values: [] })) ?? channel
}

/** A row that the replicas poll. */
const texts = { mysql: `insert into platform_announcements (channel, payload) values (${ownOnMySql}, $1)` }

/** Sends the payload to all listeners of the schema; inside a transaction, only after its commit. */
export async function notify(db: Runner, payload: string): Promise<void> {
  const text = `select pg_notify(${own}, $1)`
  await change(db, { text, texts, values: [payload], name: 'announce', announces: true })
}
