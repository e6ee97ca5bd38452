/** A program that `embedded.test.ts` kills: it writes rows one by one and reports each acknowledged one. */
import { openDatabase } from '../database.ts'

const [dataDir = '', dump = ''] = process.argv.slice(2)
const db = await openDatabase({ kind: 'pglite', dataDir, dump })
await db.run({ text: 'create table if not exists written (number integer primary key, half integer)', values: [] })
for (let number = 1; ; number += 1) {
  await db.transaction(async (inner) => {
    await inner.run({ text: 'insert into written (number) values ($1)', values: [number] })
    await inner.run({ text: 'update written set half = number where number = $1', values: [number] })
  })
  process.stdout.write(`${number}\n`)
}
