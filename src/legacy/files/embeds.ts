/** External videos: their addresses, and the pages that embed them. */

/** A video and its site; `picture` is the address of its preview image, or of a document that names it. */
export type Video = { readonly site: 'youtube' | 'vimeo'; readonly id: string }

const patterns = [
  [
    'youtube',
    /^https?:\/\/(?:www\.|m\.)?youtube\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/)([\w-]{6,20})(?:[&?#/]|$)/,
  ],
  ['youtube', /^https?:\/\/youtu\.be\/([\w-]{6,20})(?:[?#/]|$)/],
  ['vimeo', /^https?:\/\/(?:www\.)?vimeo\.com\/(?:video\/)?(\d{1,15})(?:[?#/]|$)/],
  ['vimeo', /^https?:\/\/player\.vimeo\.com\/video\/(\d{1,15})(?:[?#/]|$)/],
] as const

/**
 * Recognizes the address of a video; null for others.
 * @example findVideo('https://youtu.be/dQw4w9WgXcQ') // { site: 'youtube', id: 'dQw4w9WgXcQ' }
 */
export function findVideo(address: string): Video | null {
  for (const [site, pattern] of patterns) {
    const id = pattern.exec(address)?.[1]
    if (id !== undefined) return { site, id }
  }
  return null
}

/** Size of the frame in which a video is shown. */
export const videoSize = { width: 560, height: 340 } as const

const sites = {
  youtube: { page: 'https://www.youtube.com/watch?v=', frame: 'https://www.youtube.com/embed/' },
  vimeo: { page: 'https://vimeo.com/', frame: 'https://player.vimeo.com/video/' },
} as const

/** The HTML that embeds the video of a file; null for other files. */
export function videoOf(
  type: string | null,
  id: string | null,
): { readonly html: string; readonly url: string } | null {
  const site = /^embed\/(youtube|vimeo)$/.exec(type ?? '')?.[1] as Video['site'] | undefined
  if (site === undefined || id === null || !/^[\w-]{1,64}$/.test(id)) return null
  const { page, frame } = sites[site]
  const { width, height } = videoSize
  const html = `<iframe width="${width}" height="${height}" src="${frame}${id}" frameborder="0" allowfullscreen></iframe>`
  return { html, url: `${page}${id}` }
}
