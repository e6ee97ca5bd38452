/** Batches with an operation that fails. */
import type { Extra } from './data-cases.ts'
import { current, extrasOf } from './extras.ts'

type Operation = { readonly [key: string]: unknown }

const title = { title: 'Written together' }

const created: Operation = { operation: 'createItems', parameters: { collection: 'articles' }, body: title }

const failing = (generation: Extra['generation'], rule: string, operation: Operation): Extra =>
  extrasOf(generation).refused('runBatch', rule, { body: { operations: [created, operation] } })

const article = (id: string): Operation => ({
  operation: 'updateItem',
  parameters: { collection: 'articles', id },
  body: title,
})

/** A message of the newest revision of the Model Context Protocol. */
const message = {
  jsonrpc: '2.0',
  id: 1,
  method: 'no/such',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
}

export const batches: readonly Extra[] = [
  current.refused('runMcp', 'a method that the server does not have', {
    body: message,
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'no/such' },
  }),
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
