/** Hidden rows are treated as missing, in every relation and at every depth. */
import { afterAll, describe, expect, test } from 'vitest'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import type { Action, Rule } from '../../domain/rights/actor.ts'
import { detail, list, nested, one } from '../testing/test-changes.ts'
import { failuresOf, is, openTestWorld, userWith } from '../testing/test-context.ts'
import { playScene, type Scene, sceneFor } from '../testing/test-scene.ts'

const opened = await openTestWorld()

afterAll(() => opened.close())

type Form = (key: Key) => readonly [collection: string, key: Key, changes: Changes]

/** The rows of each relation: those that are visible to the writer, and those that are hidden. */
type Kind = {
  readonly collection: string
  readonly field: string
  readonly known: ReturnType<typeof is>
  readonly hidden: readonly Key[]
  readonly missing: Key
  readonly forms: { readonly [name: string]: Form }
}

const article =
  (changes: (key: Key) => Changes, id = 1): Form =>
  (key) => ['articles', id, changes(key)]

const toOne: Kind = {
  collection: 'authors',
  field: 'name',
  known: is('id', 4),
  hidden: [1, 2],
  missing: 999,
  forms: {
    object: article((id) => nested({ author: one({ id, name: 'x' }) })),
    'object with an own list': article((id) =>
      nested({ author: one({ id, name: 'x', articles: detail({ create: [{ title: 'x' }] }) }) }),
    ),
    'in a list': article((id) => nested({ comments: list([1, 2, 3, { body: 'x', author: one({ id, name: 'x' }) }]) })),
    'in a detail': article((id) =>
      nested({ comments: detail({ update: [{ id: 1, author: one({ id, name: 'x' }) }] }) }),
    ),
    'two levels up': article((id) => nested({ author: one({ id: 4, name: 'y', mentor: one({ id, name: 'x' }) }) })),
  },
}

const toMany: Kind = {
  collection: 'comments',
  field: 'body',
  known: is('id', 3),
  // Of another article, and of the article that is written.
  hidden: [4, 2],
  missing: 999,
  forms: {
    object: article((id) => nested({ comments: list([{ id, body: 'x' }]) })),
    'updated in detail': article((id) => nested({ comments: detail({ update: [{ id, body: 'x' }] }) })),
    'removed in detail': article((id) => nested({ comments: detail({ delete: [Number(id)] }) })),
    'erased in detail': article((id) => nested({ comments: detail({ erase: [Number(id)] }) })),
    'updated or made': article((id) => nested({ comments: detail({ upsert: [{ id, body: 'x' }] }) })),
    'below an author': (id) => [
      'authors',
      1,
      nested({ articles: detail({ update: [{ id: 1, comments: detail({ update: [{ id, body: 'x' }] }) }] }) }),
    ],
  },
}

const toManyToMany: Kind = {
  collection: 'tags',
  field: 'color',
  known: is('name', 'unused'),
  hidden: ['sea', 'sport'],
  missing: 'nowhere',
  forms: {
    list: article((name) => nested({ tags: list([{ tag: tag(name) }]) })),
    created: article((name) => nested({ tags: detail({ create: [{ tag: tag(name) }] }) })),
    updated: article((name) => nested({ tags: detail({ update: [{ id: 1, tag: tag(name) }] }) })),
  },
}

const tag = (name: Key) => ({ ...one({ name, color: 'x' }), key: name })

const toAny: Kind = {
  collection: 'headings',
  field: 'text',
  known: is('id', 50),
  hidden: [1, 2],
  missing: 999,
  forms: Object.fromEntries(
    Object.entries({
      list: (item: unknown) => list([{ collection: 'headings', item }]),
      created: (item: unknown) => detail({ create: [{ collection: 'headings', item }] }),
      updated: (item: unknown) => detail({ update: [{ id: 1, collection: 'headings', item }] }),
    }).map(([name, blocks]): [string, Form] => [
      name,
      (id) => ['pages', 1, nested({ blocks: blocks(one({ id, text: 'x' })) })],
    ]),
  ),
}

/** All permissions on the collections that lead to the rows. */
const around = (target: string): readonly Partial<Rule>[] =>
  ['articles', 'authors', 'comments', 'articles_tags', 'pages', 'pages_blocks']
    .filter((collection) => collection !== target)
    .flatMap((collection) =>
      (['create', 'read', 'update', 'delete'] as const).map((action) => ({ collection, action })),
    )

const own = ({ collection, known: filter }: Kind, ...actions: readonly Action[]): readonly Partial<Rule>[] =>
  actions.map((action) => ({ collection, action, filter }))

const rights: { readonly [name: string]: (kind: Kind) => readonly Partial<Rule>[] } = {
  none: () => [],
  read: (kind) => own(kind, 'read'),
  'read, update': (kind) => own(kind, 'read', 'update'),
  'read, update, delete': (kind) => own(kind, 'read', 'update', 'delete'),
  'update of one field': (kind) => own(kind, 'update').map((rule) => ({ ...rule, fields: [kind.field] })),
  'update of another field': (kind) => own(kind, 'update').map((rule) => ({ ...rule, fields: ['id'] })),
  delete: (kind) => own(kind, 'delete'),
  'create of one field': (kind) => [{ collection: kind.collection, action: 'create', fields: [kind.field] }],
  'create, where a condition is not met': (kind) => [
    ...own(kind, 'read', 'update'),
    { collection: kind.collection, action: 'create', validation: is(kind.field, 'never') },
  ],
  'create of everything': (kind) => [...own(kind, 'read', 'update'), { collection: kind.collection, action: 'create' }],
}

/** The result of the write: its failures, or nothing. */
async function outcome(rules: readonly Partial<Rule>[], write: ReturnType<Form>): Promise<readonly object[]> {
  let failures: readonly object[] = []
  await playScene(opened, async (scene: Scene) => {
    const { update } = sceneFor(scene, { ...scene.ctx, actor: userWith(rules) })
    const [collection, key, changes] = write
    const written = update(collection, key, changes)
    failures = await written.then(
      () => [],
      (error: unknown) => failuresOf(Promise.reject(error)),
    )
  })
  return failures
}

describe.each([
  ['many-to-one', toOne],
  ['one-to-many', toMany],
  ['many-to-many', toManyToMany],
  ['many-to-any', toAny],
] as const)('%s', (_name, kind) => {
  test.each(Object.keys(kind.forms))('%s: a hidden row is answered like a missing one', async (name) => {
    const form = kind.forms[name] as Form
    for (const [granted, rulesOf] of Object.entries(rights)) {
      const rules = [...around(kind.collection), ...rulesOf(kind)]
      const missing = await outcome(rules, form(kind.missing))
      for (const key of kind.hidden) {
        const hidden = await outcome(rules, form(key))
        // A chosen key that is already taken is rejected.
        const taken = missing.length === 0 && !/removed|erased/.test(name)
        const expected = taken ? [{ kind: 'item-not-found', collection: kind.collection }] : missing
        expect({ granted, key, failures: hidden }).toEqual({ granted, key, failures: expected })
      }
    }
  })
})

test('a key in a list is answered alike too, be the row hidden or missing', async () => {
  for (const rulesOf of Object.values(rights)) {
    const rules = [...around('comments'), ...rulesOf(toMany)]
    // Of another article, and of the one that is written.
    for (const key of [4, 2]) {
      const [missing, hidden] = await Promise.all(
        [999, key].map((each) => outcome(rules, ['articles', 1, nested({ comments: list([each]) })])),
      )
      expect(missing?.length).toBe(1)
      expect(hidden).toEqual(missing)
    }
  }
  const rules = [...around('comments'), ...own(toMany, 'read', 'update')]
  const [first] = [
    await outcome(rules, ['articles', 1, nested({ comments: detail({ update: [{ id: 3, body: 'x' }] }) })]),
  ]
  expect(first).toEqual([])
})

test('a hidden item and a missing one are answered alike, with and without related items', async () => {
  const rules = [...around('articles'), ...own({ ...toMany, collection: 'articles' }, 'read', 'update')]
  for (const changes of [
    nested({ title: 'x' }),
    nested({ author: one({ id: 4, name: 'x' }) }),
    nested({ comments: list([]) }),
    nested({ comments: detail({ create: [{ body: 'x' }] }) }),
    nested({ tags: list([{ id: 1 }]) }),
  ]) {
    const missing = await outcome(rules, ['articles', 999, changes])
    expect(missing).toEqual([{ kind: 'item-not-found', collection: 'articles' }])
    expect(await outcome(rules, ['articles', 1, changes])).toEqual(missing)
  }
})
