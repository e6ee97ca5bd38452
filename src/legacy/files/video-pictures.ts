/** Fetches preview images of videos. */
import { fetchIncoming } from '../../core/files/import-file.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Incoming } from '../../domain/ports/uploads.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { Video } from './embeds.ts'

/** Maximum length of a site's description of a video, in characters. */
const mostText = 100_000

/** Fetches the preview image; the caller's permission to create files is checked before. */
export async function fetchPicture(ctx: Pick<Context, 'files' | 'outbound'>, { site, id }: Video): Promise<Incoming> {
  if (site === 'youtube') return fetchIncoming(ctx, `https://img.youtube.com/vi/${id}/hqdefault.jpg`)
  const about = await fetchIncoming(ctx, `https://vimeo.com/api/oembed.json?url=https%3A%2F%2Fvimeo.com%2F${id}`)
  const picture = pictureIn(await readText(about))
  if (picture !== null) return fetchIncoming(ctx, picture)
  throw invalidPayload('data', 'Expected a video with a picture for "data"')
}

async function readText({ stream }: Incoming): Promise<string> {
  let text = ''
  for await (const chunk of stream) {
    text += String(chunk)
    if (text.length > mostText) break
  }
  return text.slice(0, mostText)
}

function pictureIn(text: string): string | null {
  try {
    const message = JSON.parse(text) as { readonly thumbnail_url?: unknown } | null
    const address = message?.thumbnail_url
    return typeof address === 'string' && address.startsWith('https://') ? address : null
  } catch {
    return null
  }
}
