/** Batches with an operation that fails. */
import type { Extra } from './data-cases.ts'

type Operation = { readonly [key: string]: unknown }

const title = { title: 'Written together' }

const created: Operation = { operation: 'createItems', parameters: { collection: 'articles' }, body: title }

const failing = (generation: Extra['generation'], rule: string, operation: Operation): Extra => ({
  generation,
  operation: 'runBatch',
  rule,
  kind: 'negative',
  body: { operations: [created, operation] },
})

const article = (id: string): Operation => ({
  operation: 'updateItem',
  parameters: { collection: 'articles', id },
  body: title,
})

export const batches: readonly Extra[] = [
  failing('current', 'an item of a singleton', {
    operation: 'createItems',
    parameters: { collection: 'about' },
    body: {},
  }),
  failing('legacy', 'no such item', article('999999')),
  failing('legacy', 'a value that is taken', { ...created, body: { ...title, code: 'tandem' } }),
  ...(['current', 'legacy'] as const).flatMap((generation) => [
    failing(generation, 'an item that has changed since', { ...article('1'), if_match: 'W/"0"' }),
    failing(generation, 'a rule of the database', {
      operation: 'deleteItem',
      parameters: { collection: 'steps', id: '3' },
    }),
    failing(generation, 'an operation that cannot be undone', { operation: 'hashString', body: { string: 'a' } }),
  ]),
]
