/** Requests that fit the spec and that the world's data refuses. */
import type { DataFaults } from './cases.ts'

export const faults: DataFaults = {
  parameters: {
    collection: [
      { rule: 'no such collection', value: 'no_such_collection' },
      { rule: 'a system collection', value: 'platform_users' },
    ],
    id: [
      { rule: 'no such item', value: '999999' },
      { rule: 'not a key', value: "1' or '1'='1" },
    ],
    project: [{ rule: 'no such project', value: 'nowhere' }],
  },
  items: [
    { rule: 'a field that does not exist', name: 'no_such_field', value: 1 },
    { rule: 'a text for a number', name: 'views', value: 'many' },
    { rule: 'a number out of range', name: 'views', value: 3_000_000_000 },
    { rule: 'a text that is too long', name: 'title', value: 'a'.repeat(300) },
    { rule: 'a NUL byte', name: 'title', value: 'a\u0000b' },
    { rule: 'null where a value is needed', name: 'title', value: null },
    { rule: 'no date', name: 'published', value: 'yesterday' },
    { rule: 'no boolean', name: 'featured', value: 'perhaps' },
    { rule: 'a key of nothing', name: 'author', value: 999_999 },
    { rule: 'a key that is taken', name: 'id', value: 2 },
  ],
}
