/** Sends a file; a large one in parts, so that an upload that was interrupted goes on where it stopped. */
import { isApiError } from '@tandem/sdk/current'
import { client } from '../client.ts'

type Facts = { readonly uploads?: { readonly chunkSize: number } }

let facts: Promise<Facts> | null = null

/** Bytes of a part; null where the server takes only whole files. Larger parts show no progress for long. */
async function partSize(): Promise<number | null> {
  facts ??= (client.server.readInfo() as Promise<Facts>).catch(() => {
    facts = null
    return {}
  })
  const { uploads } = await facts
  return uploads === undefined ? null : Math.min(uploads.chunkSize, largestPart)
}

const largestPart = 4 * 1024 * 1024

const markOf = ({ name, size, lastModified }: File, folder: string | null): string =>
  `tandem-upload ${folder ?? ''} ${name} ${size} ${lastModified}`

/** The server has forgotten the upload, or never had it. */
const isGone = (error: unknown): boolean => isApiError(error) && [403, 404, 410].includes(error.status)

export async function sendFile(file: File, folder: string | null, onPercent: (percent: number) => void): Promise<void> {
  const onProgress = ({ sent, total }: { readonly sent: number; readonly total: number | null }): void =>
    onPercent(total ? (100 * sent) / total : 0)
  const chunkSize = await partSize()
  if (chunkSize === null || file.size <= chunkSize) {
    await client.files.upload(file, { folder }, { onProgress })
    return
  }
  const mark = markOf(file, folder)
  const begun = localStorage.getItem(mark)
  const onStart = (upload: string): void => localStorage.setItem(mark, upload)
  const properties = folder === null ? {} : { folder }
  const send = (resume: string | null): Promise<string> =>
    client.files.uploadResumable(file, properties, {
      chunkSize,
      onProgress,
      onStart,
      ...(resume !== null && { resume }),
    })
  await send(begun).catch((error: unknown) => {
    if (begun === null || !isGone(error)) throw error
    return send(null)
  })
  localStorage.removeItem(mark)
}
