/** Replies as entries of the response cache, and the headers that say whether the cache has answered. */

import type { Context } from '../../domain/ports/context.ts'
import { jsonText, type Reply, textOfJson, withHeaders } from '../reply/reply.ts'
import type { CacheSettings } from '../settings.ts'

/** The content tag, if any, is on a line of its own before the text. */
export const toEntry = ({ tag }: Reply, text: string): string =>
  `${tag === undefined ? '' : `${tag.content}${tag.isWhole ? '' : '.'}`}\n${text}`

export function fromEntry(entry: string): Reply {
  const at = entry.indexOf('\n')
  const content = entry.slice(0, at)
  const reply = jsonText(entry.slice(at + 1))
  if (content === '') return reply
  return { ...reply, tag: { content: content.replace('.', ''), isWhole: !content.endsWith('.') } }
}

/** Null for responses that are not plain text: files, cookies, headers, errors. */
export function textOf({ status, body, headers, cookies }: Reply): string | null {
  if (status !== 200 || body === null || headers !== undefined || cookies !== undefined) return null
  return (body.kind === 'json' || body.kind === 'json-text') && body.type === undefined ? textOfJson(body) : null
}

type Marked = { readonly status: 'HIT' | 'MISS'; readonly tags: readonly string[] }

export function mark(
  reply: Reply,
  { status, tags }: Marked,
  { actor }: Pick<Context, 'actor'>,
  settings: CacheSettings,
): Reply {
  const { statusHeader, autoPurge, ttl, sharedMaxAge, tagHeaders } = settings
  const age = `max-age=${Math.floor(ttl / 1000)}`
  const shared = sharedMaxAge === null ? '' : `, s-maxage=${sharedMaxAge}`
  const text = actor.kind === 'public' ? `public, ${age}${shared}` : `private, ${age}`
  return withHeaders(reply, {
    ...(autoPurge ? {} : { 'cache-control': text }),
    ...(statusHeader === null ? {} : { [statusHeader]: status }),
    ...(tagHeaders ? tagsForNetworks(tags) : {}),
  })
}

/** Tags in the forms of the usual networks. */
function tagsForNetworks(tags: readonly string[]): { readonly [name: string]: string } {
  const encoded = tags.map((tag) => encodeURIComponent(tag))
  return { 'surrogate-key': encoded.join(' '), 'cache-tag': encoded.join(',') }
}
