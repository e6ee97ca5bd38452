/** Notifications on a channel of the database. */
import { change, type Runner } from './answers.ts'

/** Sends the payload to all listeners; inside a transaction, only after its commit. */
export async function notify(db: Runner, channel: string, payload: string): Promise<void> {
  await change(db, { text: 'select pg_notify($1, $2)', values: [channel, payload], name: 'announce' })
}
