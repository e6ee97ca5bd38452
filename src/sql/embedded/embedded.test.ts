import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase, openEmbedded } from '../database.ts'
import { preparedArchive } from '../testing/test-database.ts'

let dataDir = ''
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tandem-embedded-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const open = () => openDatabase({ kind: 'pglite', dataDir, acquireTimeout: 60_000 })
/** The same from an archive, which is faster than creating a database. */
const create = async () =>
  openDatabase({ kind: 'pglite', dataDir, dump: await preparedArchive(), acquireTimeout: 60_000 })

test('kill -9 in the middle of writes loses no acknowledged write and keeps no half transaction', async () => {
  const program = fileURLToPath(new URL('../testing/test-writer.ts', import.meta.url))
  const writer = spawn(process.execPath, [program, dataDir, await preparedArchive()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let acknowledged = 0
  for await (const line of createInterface({ input: writer.stdout })) {
    acknowledged = Number(line)
    if (acknowledged === 200) writer.kill('SIGKILL')
  }
  if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit')
  expect(writer.signalCode).toBe('SIGKILL')

  const db = await open()
  const { rows } = await db.run({ text: 'select number, half from written order by number', values: [] })
  await db.close()
  const numbers = (rows as readonly { number: number; half: number }[]).map((row) => row.number)
  expect(numbers.slice(0, acknowledged)).toEqual(Array.from({ length: acknowledged }, (_, index) => index + 1))
  expect((rows as readonly { number: number; half: number }[]).filter((row) => row.half !== row.number)).toEqual([])
})

test('one process at a time has a data directory, and the rows are there for the next', async () => {
  await writeFile(join(dataDir, 'database.lock'), JSON.stringify({ pid: 4_000_000, started: '1' }))
  // The lock of a dead process is taken over.
  const first = await create()
  expect(JSON.parse(await readFile(join(dataDir, 'database.lock'), 'utf8'))).toMatchObject({ pid: process.pid })
  await expect(open()).rejects.toThrow(`The data directory is in use by process ${process.pid}`)
  await first.run({ text: 'create table kept (id integer primary key); insert into kept values (7)', values: [] })
  await first.close()
  const second = await open()
  expect((await second.run({ text: 'select id from kept', values: [] })).rows).toEqual([{ id: 7 }])
  await second.close()
  await expect(readFile(join(dataDir, 'database.lock'))).rejects.toThrow('ENOENT')
})

test('an engine that dies is started again with its rows, and its listeners hear on', async () => {
  const db = await openEmbedded({ kind: 'pglite', dataDir, dump: await preparedArchive(), acquireTimeout: 60_000 })
  const heard = Promise.withResolvers<string | null>()
  await db.listen('still', heard.resolve)
  await db.run({ text: 'create table kept (id integer primary key); insert into kept values (7)', values: [] })
  // A failure outside SQL ends the thread.
  await expect(db.dump(join(dataDir, 'no', 'such', 'folder'))).rejects.toThrow('unavailable')
  expect((await db.run({ text: 'select id from kept', values: [] })).rows).toEqual([{ id: 7 }])
  await db.run({ text: "select pg_notify('still', 'here')", values: [] })
  expect(await heard.promise).toBe('here')
  await db.close()
})

test('answers leave nothing in memory, and one of many parts comes whole with what is notified in it', async () => {
  const db = await create()
  const heard: (string | null)[] = []
  await db.listen('told', (payload) => void heard.push(payload))
  const ask = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done++) {
      const { rows } = await db.run({ text: "select repeat('x', 1000000) as text", values: [] })
      expect((rows as readonly { text: string }[])[0]?.text.length).toBe(1_000_000)
    }
  }
  await ask(50)
  const before = process.memoryUsage.rss()
  await ask(250)
  expect((process.memoryUsage.rss() - before) / 1e6).toBeLessThan(150)
  const text = "select pg_notify('told', number::text), repeat('x', 100000) as text from generate_series(1, 9) number"
  expect((await db.run({ text, values: [] })).rows).toHaveLength(9)
  await expect.poll(() => heard).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  await db.close()
})
