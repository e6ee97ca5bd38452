/**
 * Benchmarks of files and assets: Tandem compared with a script that calls the image library, the static file middleware
 * of Express, and a minimal server that writes bodies to files. Results are compared before the measurement.
 */

import { deepStrictEqual } from 'node:assert'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { LimitImageOptions } from './limit-images.ts'
import { cpuOf, load, memoryOfAll, type Request, receive, type Sample, type Server } from './measure.ts'
import { makePicture } from './picture.ts'
import { adminToken, editorToken } from './prepare.ts'
import { startProgram, startTandem, stop } from './servers.ts'

export type FileWorkload = {
  readonly name: string
  /** Goal as a multiple of the limit; null = no goal. */
  readonly most: number | null
  readonly limit: 'limit-images' | 'limit-files'
  readonly requests: number
  readonly concurrency: number
}

const workloads = {
  cold: {
    name: 'cold transform, 12 MP JPEG to 300 × 300 WebP',
    most: 1.1,
    limit: 'limit-images',
    requests: 40,
    concurrency: 2,
  },
  variant: { name: 'cached variant, 15 kB', most: 1.25, limit: 'limit-files', requests: 4000, concurrency: 8 },
  original: { name: 'original, 5 MB', most: 1.25, limit: 'limit-files', requests: 200, concurrency: 8 },
  upload: { name: 'upload, 1 MB', most: 1.5, limit: 'limit-files', requests: 100, concurrency: 4 },
  picture: { name: 'upload, JPEG of 1 MB', most: null, limit: 'limit-files', requests: 100, concurrency: 4 },
} as const satisfies { readonly [name: string]: FileWorkload }

const warmUps = 2

type Name = keyof typeof workloads

const parallel = { name: '16 transforms of 12 MP at once', count: 16 } as const

export type FileResults = {
  readonly samples: ReadonlyMap<FileWorkload, { readonly tandem: readonly Sample[]; readonly limit: readonly Sample[] }>
  /** Memory in MB of the server and its workers: before, and the peak during 16 transforms. */
  readonly memory: { readonly before: number; readonly peak: number } | null
}

export type FileOptions = {
  readonly url: string
  /** See `mainOf`. */
  readonly checkout: string | undefined
  readonly rounds: number
  readonly isSelected: (name: string) => boolean
  readonly backendsOf: (server: Server) => Promise<readonly number[]>
}

export async function measureFiles(options: FileOptions): Promise<FileResults> {
  const names = (Object.keys(workloads) as Name[]).filter((name) => options.isSelected(workloads[name].name))
  const withMemory = options.isSelected(parallel.name)
  const samples: Map<FileWorkload, { tandem: Sample[]; limit: Sample[] }> = new Map()
  if (names.length === 0 && !withMemory) return { samples, memory: null }
  await allowEditor(options.url)
  const bench = await open(options)
  for (const name of names) samples.set(workloads[name], await measure(bench, name, options))
  const memory = withMemory ? await measureMemory(bench) : null
  await bench.close()
  return { samples, memory }
}

type Bench = {
  readonly tandem: Server
  readonly files: Server
  readonly images: Server
  readonly askImages: (asked: Omit<LimitImageOptions, 'source'>) => Promise<Buffer>
  readonly folders: { readonly tandem: string; readonly limit: string }
  readonly ids: { readonly photo: string; readonly original: string }
  readonly bodies: { readonly upload: Buffer; readonly picture: Buffer }
  /** Forgets the variants of a file, because their number is limited. */
  readonly forgetVariants: () => Promise<unknown>
  readonly close: () => Promise<void>
}

async function open({ url, checkout }: FileOptions): Promise<Bench> {
  const [dataDir, limit] = [mkdtempSync(join(tmpdir(), 'tandem-bench-')), mkdtempSync(join(tmpdir(), 'tandem-bench-'))]
  const photo = await makePicture()
  const original = noise(5 * 1024 ** 2)
  writeFileSync(join(limit, 'photo.jpg'), photo)
  writeFileSync(join(limit, 'original.bin'), original)
  const tandem = await startTandem(url, { admin: adminToken, dataDir, checkout })
  const files = startProgram('limit-files', { FOLDER: limit })
  const images = startProgram('limit-images', {})
  const servers = [tandem, await files.started, await images.started]
  const ids = {
    photo: await upload(tandem, photo, 'image/jpeg'),
    original: await upload(tandem, original, 'application/octet-stream'),
  }
  const cached = readAsset(`${ids.photo}?${cover(300)}`)
  const variant = await receive(tandem.port, cached)
  // Warm-up, because the engine optimises code only after thousands of requests.
  await load(tandem, async () => [], { count: 5000, concurrency: 8, make: () => cached })
  writeFileSync(join(limit, 'variant.webp'), variant)
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    tandem,
    files: servers[1] as Server,
    images: servers[2] as Server,
    askImages: (asked) => ask(images.child, { ...asked, source: join(limit, 'photo.jpg') }),
    folders: { tandem: join(dataDir, 'uploads'), limit },
    ids,
    bodies: { upload: noise(1024 ** 2), picture: ofSize(photo, 1024 ** 2) },
    forgetVariants: () => client.query('delete from platform_variants where file = $1', [ids.photo]),
    async close() {
      await client.end()
      for (const id of Object.values(ids))
        await receive(tandem.port, { ...asAdmin, method: 'DELETE', path: `/files/${id}` })
      for (const server of servers) await stop(server)
      for (const folder of [dataDir, limit]) rmSync(folder, { recursive: true, force: true })
    },
  }
}

const cover = (width: number, height = 300): string => `width=${width}&height=${height}&fit=cover&format=webp`
const asAdmin = { headers: { authorization: `Bearer ${adminToken}` } } as const

const readAsset = (what: string): Request => ({
  method: 'GET',
  path: `/assets/${what}`,
  headers: { authorization: `Bearer ${editorToken}` },
})

const readStatic = (file: string): Request => ({ method: 'GET', path: `/${file}`, headers: {} })

/** Random bytes, which cannot be compressed and are not recognised as an image. */
const noise = (size: number): Buffer =>
  Buffer.from(Uint8Array.from({ length: size }, (_, n) => (n * n * 31 + (n >> 7)) & 255))

/** The beginning of an image, which is enough to read its type and size. */
const ofSize = (picture: Buffer, size: number): Buffer => picture.subarray(0, size)

/** The n-th request to Tandem and to the limit. */
function requestsOf(
  { ids, bodies }: Bench,
  name: Exclude<Name, 'cold'>,
): { readonly tandem: Request; readonly limit: Request } {
  switch (name) {
    case 'variant':
      return { tandem: readAsset(`${ids.photo}?${cover(300)}`), limit: readStatic('variant.webp') }
    case 'original':
      return { tandem: readAsset(ids.original), limit: readStatic('original.bin') }
    case 'upload':
      return sendFile(bodies.upload, 'application/octet-stream')
    case 'picture':
      return sendFile(bodies.picture, 'image/jpeg')
  }
}

const boundary = 'a-boundary-for-the-benchmark'

function sendFile(bytes: Buffer, type: string): { readonly tandem: Request; readonly limit: Request } {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="file.bin"\r\ncontent-type: ${type}\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  const headers = { ...asAdmin.headers, 'content-type': `multipart/form-data; boundary=${boundary}` }
  return {
    tandem: { method: 'POST', path: '/files?fields=id', body, headers },
    limit: { method: 'POST', path: '/', body: bytes, headers: {} },
  }
}

async function upload(tandem: Server, bytes: Buffer, type: string): Promise<string> {
  const answer = JSON.parse((await receive(tandem.port, sendFile(bytes, type).tandem)).toString()) as {
    data: { id: string }
  }
  return answer.data.id
}

async function measure(bench: Bench, name: Name, options: FileOptions): Promise<{ tandem: Sample[]; limit: Sample[] }> {
  const samples = { tandem: [] as Sample[], limit: [] as Sample[] }
  await compare(bench, name)
  for (let round = -warmUps; round < options.rounds; round += 1) {
    // Variants are stored, so each round uses a different height.
    const height = 300 + round
    const seen = {
      tandem: await measureTandem(bench, name, { ...options, height }),
      limit: await measureLimit(bench, name, height),
    }
    await tidy(bench)
    if (round < 0) continue
    samples.tandem.push(seen.tandem)
    samples.limit.push(seen.limit)
  }
  process.stderr.write(`${workloads[name].name}: measured\n`)
  return samples
}

/** Checks that both sides return or store the same bytes. */
async function compare(bench: Bench, name: Name): Promise<void> {
  const { tandem, files } = bench
  if (name === 'cold') {
    const picture = await receive(tandem.port, readAsset(`${bench.ids.photo}?${cover(311)}`))
    const bare = await bench.askImages({ width: 311, height: 300, count: 1, concurrency: 1 })
    deepStrictEqual(picture, bare, `${name}: the pictures differ`)
    return tidy(bench)
  }
  const requests = requestsOf(bench, name)
  const answers = [await receive(tandem.port, requests.tandem), await receive(files.port, requests.limit)]
  if (requests.tandem.method === 'GET') return deepStrictEqual(answers[0], answers[1], `${name}: answers differ`)
  const { data } = JSON.parse(String(answers[0])) as { data: { id: string } }
  const stored = readdirSync(bench.folders.tandem).find((each) => each.startsWith(data.id))
  const uploaded = readdirSync(bench.folders.limit).find((each) => each.startsWith('upload-'))
  const kept = readFileSync(join(bench.folders.tandem, stored ?? 'nothing'))
  deepStrictEqual(
    kept,
    readFileSync(join(bench.folders.limit, uploaded ?? 'nothing')),
    `${name}: what was kept differs`,
  )
  await tidy(bench)
}

function measureTandem(
  bench: Bench,
  name: Name,
  { backendsOf, height }: FileOptions & { readonly height: number },
): Promise<Sample> {
  const { requests: count, concurrency } = workloads[name]
  const { tandem, ids } = bench
  if (name === 'cold') {
    const make = (n: number): Request => readAsset(`${ids.photo}?${cover(301 + n, height)}`)
    // Warm-up with other sizes than those measured; it also restarts idle workers.
    const opening = (n: number): Request => readAsset(`${ids.photo}?${cover(200 + n, height)}`)
    return load(tandem, () => backendsOf(tandem), { count, concurrency, make, opening })
  }
  const request = requestsOf(bench, name).tandem
  return load(tandem, () => backendsOf(tandem), { count, concurrency, make: () => request })
}

async function measureLimit(bench: Bench, name: Name, height: number): Promise<Sample> {
  const { requests: count, concurrency } = workloads[name]
  if (name === 'cold') {
    const { pid } = bench.images
    await bench.askImages({ width: 300, height, count: 1, concurrency })
    const before = { cpu: cpuOf([pid]), at: performance.now() }
    await bench.askImages({ width: 301, height, count, concurrency })
    const seconds = (performance.now() - before.at) / 1000
    const each = (seconds * 1000 * concurrency) / count
    return {
      requests: count,
      seconds,
      serverCpu: (cpuOf([pid]) - before.cpu) / count,
      databaseCpu: 0,
      latencies: [each],
    }
  }
  const request = requestsOf(bench, name).limit
  return load(bench.files, async () => [], { count, concurrency, make: () => request })
}

/** Deletes uploads and variants of a round, except the variant that is read. */
async function tidy({ tandem, folders, ids, forgetVariants }: Bench): Promise<void> {
  const isOurs = (id: string): boolean => id === ids.photo || id === ids.original
  const names = readdirSync(folders.tandem)
  const uploads = names.filter((name) => !name.includes('__')).map((name) => name.slice(0, 36))
  for (const some of chunks(
    uploads.filter((id) => !isOurs(id)),
    100,
  )) {
    const body = JSON.stringify(some)
    const headers = { ...asAdmin.headers, 'content-type': 'application/json', 'content-length': String(body.length) }
    await receive(tandem.port, { method: 'DELETE', path: '/files', headers, body })
  }
  for (const name of names.filter((each) => each.includes('__')))
    rmSync(join(folders.tandem, name), { recursive: true })
  await forgetVariants()
  for (const name of readdirSync(folders.limit)) if (name.startsWith('upload-')) rmSync(join(folders.limit, name))
  await receive(tandem.port, readAsset(`${ids.photo}?${cover(300)}`))
}

const chunks = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size))

async function measureMemory(bench: Bench): Promise<FileResults['memory']> {
  const { pid, port } = bench.tandem
  const before = memoryOfAll(pid)
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOfAll(pid))
  }, 15)
  const all = Array.from({ length: parallel.count }, (_, n) =>
    receive(port, readAsset(`${bench.ids.photo}?${cover(400 + n)}`)),
  )
  await Promise.all(all).finally(() => clearInterval(timer))
  return { before, peak }
}

/** Runs the script once. */
async function ask(child: ChildProcess, options: LimitImageOptions): Promise<Buffer> {
  const said = new Promise<{ first: string }>((resolve) =>
    child.once('message', (message) => resolve(message as never)),
  )
  child.send(options)
  return Buffer.from((await said).first, 'base64')
}

/** Files are read by a user with restricted rights, so that permissions have to be evaluated. */
async function allowEditor(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`insert into platform_permissions (policy, collection, action, permissions, fields)
    select id, 'platform_files', 'read', '{"filesize":{"_gt":0}}'::json, '*' from platform_policies where name = 'Benchmark'
      and not exists (select 1 from platform_permissions where policy = platform_policies.id and collection = 'platform_files')`)
  await client.end()
}
