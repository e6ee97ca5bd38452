/** A resumable upload that one server begins and another one finishes. */
import { expect } from 'vitest'

type Headers = { readonly [name: string]: string }

/** A resumable upload that has begun. */
export type Upload = {
  /** Resolves when the first request has ended. */
  readonly sent: Promise<unknown>
  /** Continues on another server. */
  readonly finish: (url: string) => Promise<void>
}

/** Begins a resumable upload: two megabytes, then silence. Resolves when the server has kept one of them. */
export async function beginUpload(url: string, bytes: Buffer, headers: Headers): Promise<Upload> {
  const more = { ...headers, 'tus-resumable': '1.0.0' }
  const metadata = `filename_download ${btoa('a.png')}`
  const begin = { ...more, 'upload-length': String(bytes.length), 'upload-metadata': metadata }
  const made = await fetch(`${url}/files/tus`, { method: 'POST', headers: begin })
  const [path = ''] = /\/files\/tus\/.*$/.exec(made.headers.get('location') ?? '') ?? []
  const offsetAt = async (on: string): Promise<number> => {
    const head = await fetch(`${on}${path}`, { method: 'HEAD', headers: more })
    return Number(head.headers.get('upload-offset'))
  }
  const send = (on: string, offset: number, body: ReadableStream | Uint8Array<ArrayBuffer>): Promise<Response> => {
    const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
    return fetch(`${on}${path}`, { method: 'PATCH', headers: { ...more, ...type }, body, duplex: 'half' } as never)
  }
  const slow = new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(bytes.subarray(0, 2_000_000))) })
  const sent = send(url, 0, slow).catch(() => null)
  while ((await offsetAt(url)) < 1_000_000) await new Promise((resolve) => setTimeout(resolve, 100))
  const finish = async (on: string): Promise<void> => {
    const offset = await offsetAt(on)
    expect(offset).toBeGreaterThanOrEqual(1_000_000)
    const done = await send(on, offset, new Uint8Array(bytes.subarray(offset)))
    expect(done.status).toBe(204)
    const asset = await fetch(`${on}/assets/${done.headers.get('platform-file-id')}`, { headers })
    expect(Buffer.from(await asset.arrayBuffer()).equals(bytes)).toBe(true)
  }
  return { sent, finish }
}
