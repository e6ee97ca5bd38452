import { expect, test } from 'vitest'
import { programsOf, type Use } from './uses.ts'

const use = (client: string, more: Partial<Use> = {}): Use => ({
  client,
  operation: 'readItems',
  access: 'call',
  path: '',
  calls: 1,
  last_call: '2026-09-01T00:00:00Z',
  called: 'GET /{project}/items/{collection}',
  successors: [],
  changes: null,
  ...more,
})

test('versions of a client are one program, whose operations are counted together', () => {
  const programs = programsOf([
    use('shop 1.9', { calls: 3 }),
    use('shop 1.10', { calls: 4, last_call: '2026-09-03T00:00:00Z' }),
    use('shop 1.10', { access: 'read', path: 'horses.name' }),
    use('shop 1.9', { operation: 'readUser', called: null, calls: 20 }),
    use('key Report 2', { last_call: '2026-09-02T00:00:00Z' }),
    use('key Report 3'),
    use('other'),
  ])
  expect(programs.map(({ name, versions }) => [name, versions])).toEqual([
    ['shop', ['1.10', '1.9']],
    ['key Report 2', []],
    ['key Report 3', []],
    ['other', []],
  ])
  expect(programs[0]).toMatchObject({
    lastCall: '2026-09-03T00:00:00Z',
    operations: [
      { name: 'readUser', calls: 20, versions: ['1.9'], fields: [] },
      { name: 'GET /{project}/items/{collection}', calls: 7, versions: ['1.10', '1.9'], fields: ['horses.name'] },
    ],
  })
})
