/** What receivers are sent of a change. */
import { systemPrefix } from '../../domain/model/system-collections.ts'
import type { FeedEvent, Seen } from '../../domain/ports/feed.ts'
import type { Webhook } from '../../domain/ports/webhooks.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import type { View } from '../../domain/schema/view.ts'

/** A change as one user sees it. */
export type Change = {
  readonly event: FeedEvent
  readonly seen: Seen
  readonly collection: Collection
  readonly view: View
}

/**
 * The type of the event: `items.update` for the tables of the project, the name of the collection for those of the system.
 * @example typeOf({ name: 'platform_users', system: true }, 'create') // 'users.create'
 */
export const typeOf = ({ name, system }: Pick<Collection, 'name' | 'system'>, kind: Seen['kind']): string =>
  `${system ? name.slice(systemPrefix.length) : 'items'}.${kind}`

/** The body of the requests; null for those that have none. */
export function bodyOf({ method, format, hasData }: Webhook, change: Change): string | null {
  if (method === 'GET') return null
  return format === 'item' ? itemBody(change) : eventBody(change, hasData)
}

function eventBody({ event, seen, collection, view }: Change, hasData: boolean): string {
  const name = view.byCore.get(collection.name)?.name ?? collection.name
  const facts = `"collection":${JSON.stringify(name)},"key":${JSON.stringify(seen.key)}`
  const item = hasData && seen.json !== null ? `,"item":${seen.json}` : ''
  const head = `"type":${JSON.stringify(typeOf(collection, seen.kind))},"timestamp":${JSON.stringify(event.at)}`
  return `{${head},"data":{${facts}${item}}}`
}

/** The item; of a deleted one its key, under the name of the key. */
function itemBody({ seen, collection, view }: Change): string {
  if (seen.json !== null) return seen.json
  const { primaryKey } = collection
  const name = view.byCore.get(collection.name)?.byCore.get(primaryKey)?.name ?? primaryKey
  return JSON.stringify({ [name]: seen.key })
}
