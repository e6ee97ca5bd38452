/**
 * Answers GET and HEAD for a file: conditional requests, ranges, cache headers, and protection against uploaded pages.
 */
import type { Asset } from '../../core/assets/assets.ts'
import type { AssetSettings } from '../../domain/ports/settings.ts'
import type { HttpRequest } from '../request/request.ts'
import { selectPart } from './byte-ranges.ts'
import { disposition, empty, type Reply, type Stream, withHeaders } from './reply.ts'

export type Delivery = {
  /** Whether browsers save the file instead of showing it. */
  readonly download: boolean
  /** Whether shared caches may store the file, because everybody may read it. */
  readonly isPublic: boolean
  readonly caching: AssetSettings
}

export type FileReply = Reply<200, Stream> | Reply<206, Stream> | Reply<304, null>

/** Throws `precondition-failed` or `range-not-satisfiable`. */
export function fileReply(request: HttpRequest, file: Asset, delivery: Delivery): FileReply {
  const etag = `"${file.version}"`
  const selected = selectPart(request, { etag, modified: file.modified, size: file.size })
  const headers = headersOf(file, etag, delivery)
  const { type, size } = file
  switch (selected.kind) {
    case 'unchanged':
      return withHeaders(empty(304), headers)
    case 'whole': {
      const body = { kind: 'stream', open: () => file.open(), size, type } as const
      return { status: 200, body, headers: { ...headers, ...shownAs(file, delivery) } }
    }
    case 'part': {
      const { start, end } = selected
      const body = { kind: 'stream', open: () => file.open({ start, end }), size: end - start + 1, type } as const
      const range = { 'content-range': `bytes ${start}-${end}/${size}` }
      return { status: 206, body, headers: { ...headers, ...shownAs(file, delivery), ...range } }
    }
  }
}

function headersOf({ modified, negotiated }: Asset, etag: string, { isPublic, caching }: Delivery) {
  const who = isPublic ? 'public' : 'private'
  const age = caching.revalidate ? 'max-age=0, must-revalidate' : `max-age=${caching.maxAge}`
  return {
    etag,
    'last-modified': modified.toUTCString(),
    'cache-control': `${who}, ${age}`,
    vary: negotiated ? 'Origin, Accept' : 'Origin',
    'accept-ranges': 'bytes',
  }
}

/** Pages and scripts, and XML that a style sheet can turn into a page. SVG counts as an image. */
const isPage = /^(?:text|application)\/(?:html|xml|xsl)$|script$|(?<!^image\/svg)\+xml$/

/**
 * An uploaded file may be a page, served from the origin of every session. A sandbox takes away its scripts and its
 * origin, and pages are downloaded instead of shown. Pages of any origin may embed images.
 */
function shownAs({ type, filename }: Asset, { download }: Delivery) {
  const saved = download || isPage.test(type)
  return {
    'content-disposition': disposition(saved ? 'attachment' : 'inline', filename),
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  }
}
