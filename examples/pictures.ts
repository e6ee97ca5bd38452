/**
 * Uploads an image with a resumable upload, requests it in several sizes and formats, checks the results, and writes an
 * HTML page that shows them. Run it with `npx node --conditions=tandem-src examples/pictures.ts`. With `--keep` the server
 * runs until Ctrl+C, so that the page can be viewed.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createCurrentClient,
  type Files,
  files as fileResource,
  type Progress,
  type Transform,
} from '@tandem/sdk/current'
import sharp from 'sharp'
import { startServer } from './server/start-server.ts'

type Form = { readonly name: string; readonly transform: Transform; readonly expected: string }

const forms: readonly Form[] = [
  { name: 'as it was uploaded', transform: {}, expected: '1600×1000 jpeg' },
  {
    name: 'a preset of the system',
    transform: { key: 'system-medium-cover', format: 'webp' },
    expected: '300×300 webp',
  },
  { name: 'a width, the height follows', transform: { width: 400, format: 'webp' }, expected: '400×250 webp' },
  { name: 'with bars', transform: { width: 320, height: 320, fit: 'contain', format: 'png' }, expected: '320×320 png' },
  {
    name: 'cut around a point',
    transform: { width: 240, height: 320, focalPoint: { x: 1300, y: 300 }, quality: 70 },
    expected: '240×320 jpeg',
  },
  {
    name: 'turned, softened and grey',
    transform: { transforms: [['rotate', 90], ['blur', 4], ['greyscale']], width: 200 },
    expected: '200×320 jpeg',
  },
]

const token = crypto.randomUUID()
const server = await startServer(token, { settings: { TUS_ENABLED: 'true' } })
const folder = await mkdtemp(join(tmpdir(), 'tandem-pictures-'))
try {
  const { files } = createCurrentClient<object>({ url: server.url, token }).with({ files: fileResource })
  const contents = new File([await paint()], 'hills.jpg', { type: 'image/jpeg' })
  const id = await files.uploadResumable(contents, { title: 'Hills' }, { chunkSize: 16_384, onProgress })
  for (const form of forms) await measure(files, id, form)
  const page = join(folder, 'pictures.html')
  await writeFile(page, pageOf(files, id))
  console.log(`The page: ${page}`)
  if (process.argv.includes('--keep')) await new Promise((resolve) => process.once('SIGINT', resolve))
} finally {
  await server.stop()
  await rm(folder, { recursive: true })
}

function onProgress({ sent, total }: Progress): void {
  console.log(`${sent} of ${total} bytes are there`)
}

function hill(y: number, colour: string): string {
  return `<path d="M0 ${y} C 400 ${y - 260}, 700 ${y + 180}, 1000 ${y - 60} S 1500 ${y - 120}, 1600 ${y} V 1000 H 0 Z" fill="${colour}"/>`
}

/** Draws hills below a sun. */
async function paint(): Promise<Uint8Array<ArrayBuffer>> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000"><rect width="1600" height="1000" fill="#f6d7a7"/>
    <circle cx="1300" cy="300" r="120" fill="#e2571e"/>${hill(620, '#7a9e7e')}${hill(760, '#4a7c59')}${hill(880, '#2f5d50')}</svg>`
  return new Uint8Array(await sharp(Buffer.from(svg)).jpeg({ quality: 92 }).toBuffer())
}

async function measure(files: Files, id: string, { name, transform, expected }: Form): Promise<void> {
  const address = files.assetUrl(id, transform)
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(`${address}: ${bytes.toString()}`)
  const { width, height, format } = await sharp(bytes).metadata()
  const found = `${width}×${height} ${format}`
  console.log(`${name}: ${found}, ${bytes.length} bytes\n  ${address}`)
  if (found !== expected) throw new Error(`Expected ${expected} for "${name}" but received ${found}`)
}

/** Images in a page cannot send a header, so their URLs contain the token. It becomes invalid with the end of the server. */
function pageOf(files: Files, id: string): string {
  const figures = forms.map(({ name, transform, expected }) => {
    const address = files.assetUrl(id, transform, { token }).replaceAll('&', '&amp;')
    return `<figure><img src="${address}" alt="${name}"><figcaption>${name}: ${expected}</figcaption></figure>`
  })
  const style = 'body { display: flex; flex-wrap: wrap; font: 16px sans-serif } img { max-width: 420px }'
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pictures</title><style>${style}</style>${figures.join('\n')}</html>\n`
}
