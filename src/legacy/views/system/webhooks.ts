/** Field names of webhooks, and words for what they are sent. */
import type { Codec } from '../../../domain/schema/view.ts'
import type { FieldTable } from './field-table.ts'

const kinds = ['create', 'update', 'delete'] as const

/** Every list of actions, in the order in which they are stored. */
const lists = Array.from({ length: 2 ** kinds.length - 1 }, (_, at) =>
  kinds.filter((_kind, bit) => ((at + 1) >> bit) & 1),
)

const actions: Codec = {
  kind: 'words',
  words: Object.fromEntries(lists.map((list) => [list.join(','), list.map((kind) => `item.${kind}:after`).join(',')])),
}

const method: Codec = { kind: 'words', words: { POST: 'post', GET: 'get' }, spellings: { POST: 'POST', GET: 'GET' } }

export const webhooks: FieldTable = {
  id: { field: 'id' },
  status: { field: 'status' },
  http_action: { field: 'method', codec: method },
  url: { field: 'url' },
  collection: { field: 'collections', holds: 'collection' },
  directus_action: { field: 'actions', codec: actions },
}
