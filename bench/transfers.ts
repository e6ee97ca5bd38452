/**
 * Peak memory of the server for imports and exports of two sizes, each by a new process: `npm run transfers --workspace bench`
 * on Linux, with BENCH_DATABASE_URL. TRANSFER_ROWS sets the sizes (100000,1000000). It ends with 1 if the larger size takes
 * half as much again as the smaller one.
 */
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { address, onServer } from './databases.ts'
import type { Server } from './measure.ts'
import { startTandem, stop } from './servers.ts'

const sizes = (process.env['TRANSFER_ROWS'] ?? '100000,1000000').split(',').map(Number)
// A million rows as JSON are more than the default.
process.env['IMPORT_MAX_FILE_SIZE'] = '1gb'
const admin = 'a-token-for-the-benchmark'
const headers = { authorization: `Bearer ${admin}` }
const database = `bench_transfers_${process.pid}`

const kinds = ['import csv', 'import json', 'export csv', 'export json', 'export into a file'] as const
type Kind = (typeof kinds)[number]

const table = `create table things (id integer primary key, name text not null, price numeric(10,2), made timestamptz, note text)`
const value = (id: number) => ({ id, name: `Thing ${id}`, price: `${id % 1000}.50`, made: '2026-01-02T03:04:05.000Z' })
const note = 'A text of ordinary length, with "quotes", and commas.'

function* pieces(kind: Kind, rows: number): Generator<string> {
  const isCsv = kind === 'import csv'
  yield isCsv ? 'id,name,price,made,note\n' : '['
  for (let id = 1; id <= rows; id += 1) {
    const thing = value(id)
    if (isCsv) yield `${Object.values(thing).join(',')},"${note.replaceAll('"', '""')}"\n`
    else yield `${id === 1 ? '' : ','}${JSON.stringify({ ...thing, note })}`
  }
  if (!isCsv) yield ']'
}

async function* form(kind: Kind, rows: number): AsyncGenerator<Buffer> {
  const format = kind === 'import csv' ? 'csv' : 'json'
  const type = format === 'csv' ? 'text/csv' : 'application/json'
  let text = `--end\r\ncontent-disposition: form-data; name="file"; filename="things.${format}"\r\ncontent-type: ${type}\r\n\r\n`
  for (const piece of pieces(kind, rows)) {
    text += piece
    if (text.length < 65_536) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(`${text}\r\n--end--\r\n`)
}

async function transfer({ port }: Server, kind: Kind, rows: number): Promise<void> {
  const url = `http://127.0.0.1:${port}`
  if (kind === 'export into a file') {
    const body = JSON.stringify({ format: 'csv', query: {}, file: { title: 'Things' } })
    await expectOk(
      await fetch(`${url}/utils/export/things`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      }),
    )
  } else if (kind.startsWith('export')) {
    await expectOk(await fetch(`${url}/items/things?limit=-1&export=${kind.slice(7)}`, { headers }))
  } else {
    const body = Readable.toWeb(Readable.from(form(kind, rows))) as unknown as BodyInit
    const asked = { method: 'POST', headers: { ...headers, 'content-type': 'multipart/form-data; boundary=end' }, body }
    await expectOk(await fetch(`${url}/utils/import/things`, { ...asked, duplex: 'half' } as RequestInit))
  }
}

/** Reads the answer without keeping it. */
async function expectOk(answer: Response): Promise<void> {
  let size = 0
  let start = ''
  for await (const piece of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length
    if (start.length < 500) start += Buffer.from(piece).toString()
  }
  if (!answer.ok) throw new Error(`${answer.status} after ${size} bytes: ${start}`)
}

/** The largest resident memory that the process has had, in MB. */
const peakOf = ({ pid }: Server): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

async function measure(kind: Kind, rows: number): Promise<number> {
  await onServer('postgres', (client) => client.query(`create database ${database}`))
  try {
    await onServer(database, async (client) => {
      await client.query(table)
      if (kind.startsWith('export'))
        await client.query(
          `insert into things select n, 'Thing ' || n, n % 1000 + 0.5, now(), $1 from generate_series(1, $2::int) n`,
          [note, rows],
        )
      await client.query('analyze')
    })
    const url = new URL(address)
    url.pathname = database
    const server = await startTandem(url.href, { admin })
    try {
      const begun = performance.now()
      await transfer(server, kind, rows)
      const peak = peakOf(server)
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      console.info(`${kind}: ${rows} rows, ${peak} MB, ${seconds} s`)
      return peak
    } finally {
      await stop(server)
    }
  } finally {
    await onServer('postgres', (client) => client.query(`drop database ${database} with (force)`))
  }
}

let isBounded = true
for (const kind of kinds) {
  const peaks: number[] = []
  for (const rows of sizes) peaks.push(await measure(kind, rows))
  if (Math.max(...peaks) > 1.5 * Math.min(...peaks)) isBounded = false
}
process.exitCode = isBounded ? 0 : 1
