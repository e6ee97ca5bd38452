/** How the engine is started, by the worker thread and for the image of a new database. */
import { PGlite } from '@electric-sql/pglite'
import { citext } from '@electric-sql/pglite/contrib/citext'
import { hstore } from '@electric-sql/pglite/contrib/hstore'

/** The default of 128 MB is filled with zeros at each start, and is memory that a small database never needs. */
const sharedBuffers = '32MB'

export const engineOptions = {
  // The default of 16 MB is more than half of a new database.
  initDbStartParams: ['--wal-segsize=1'],
  startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${sharedBuffers}`],
  // Their types can be used after `create extension`.
  extensions: { citext, hstore },
}
