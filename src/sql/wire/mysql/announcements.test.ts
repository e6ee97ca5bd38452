/** Replicas on MariaDB hear what others announce: by polling, and at once where there are signals between them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notify, readChannel } from '../../statements/operation/announcements.ts'
import { createTestDatabase, silentLog, type TestDatabase } from '../../testing/test-database.ts'
import { type Polling, pollAnnouncements, type Signals } from './announcements.ts'

let opened: TestDatabase
let channel: string
beforeAll(async () => {
  opened = await createTestDatabase()
  channel = await readChannel(opened.db)
})
afterAll(() => opened.close())

/** Two replicas, of which each hears the signals of the other. */
function linked(): readonly [Signals, Signals] {
  const [here, there]: (() => void)[][] = [[], []]
  const side = (own: typeof here = [], other: typeof there = []): Signals => ({
    send: () => other.forEach((onSignal) => onSignal()),
    listen: (onSignal) => void own.push(onSignal),
    close: () => undefined,
  })
  return [side(here, there), side(there, here)]
}

async function listen(polling: Polling): Promise<(string | null)[]> {
  const heard: (string | null)[] = []
  await polling.listen(channel, (payload) => void heard.push(payload))
  return heard
}

const announce = (text: string) => opened.db.transaction((inner) => notify(inner, text))

test('a replica polls what others have committed, in order and once', async () => {
  const polling = pollAnnouncements(() => opened.db, silentLog, undefined)
  const heard = await listen(polling)
  await announce('first')
  const late = opened.db.transaction(async (inner) => {
    await notify(inner, 'late')
    await announce('second')
    await expect.poll(() => heard).toEqual(['first', 'second'])
  })
  await late
  await expect.poll(() => heard).toEqual(['first', 'second', 'late'])
  await opened.db
    .transaction(async (inner) => {
      await notify(inner, 'undone')
      throw new Error('undone')
    })
    .catch(() => undefined)
  await announce('last')
  await expect.poll(() => heard).toEqual(['first', 'second', 'late', 'last'])
  polling.close()
})

test('a woken replica reads at once', async () => {
  const [mine, theirs] = linked()
  const [one, two] = [mine, theirs].map((signals) => pollAnnouncements(() => opened.db, silentLog, signals))
  if (one === undefined || two === undefined) throw new Error('Expected two replicas')
  const [own, heard] = [await listen(one), await listen(two)]
  await announce('news')
  one.committed()
  await expect.poll(() => [own.at(-1), heard.at(-1)]).toEqual(['news', 'news'])
  one.close()
  two.close()
  one.committed()
  expect(own).toHaveLength(1)
})
