import { array, assert, asyncProperty, integer, nat } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Mutation } from '../../domain/query/mutation.ts'
import { writeItems } from '../items/items.ts'
import { openTestWorld, type TestWorld } from '../testing/test-context.ts'
import { playScene, type Scene } from '../testing/test-scene.ts'
import {
  applyTree,
  comparable,
  drawTrees,
  keyFor,
  names,
  readText,
  type State,
  type Tree,
  toChanges,
  toState,
} from '../testing/test-trees.ts'

let opened: TestWorld

beforeAll(async () => {
  opened = await openTestWorld()
  // Junction rows are identified by a column of their own, other rows by unique texts.
  await opened.rowsOf(`alter table articles_tags add label text; update articles_tags set label = 'old ' || id`)
  const schema = await opened.loadSchema()
  opened = { ...opened, ctx: { ...opened.ctx, schema } }
})

afterAll(() => opened.close())

async function stateOf({ rowsOf }: Scene): Promise<State> {
  const read = new Map<(typeof names)[number], readonly { readonly [column: string]: unknown }[]>()
  for (const name of names) {
    read.set(name, (await rowsOf(readText(name))) as readonly { readonly [column: string]: unknown }[])
  }
  return toState(read)
}

function mutationsOf(state: State, trees: readonly Tree[]): readonly Mutation[] {
  const { collection = 'articles' } = trees[0] ?? {}
  const items = trees.filter(({ isNew }) => isNew).map((tree) => toChanges(state, tree))
  const changed = trees.flatMap((tree) => {
    const key = keyFor(state, tree)
    return key === null ? [] : [{ key, changes: toChanges(state, tree) }]
  })
  return [
    { kind: 'create', collection, items },
    { kind: 'update-each', collection, items: changed },
  ]
}

test('after any items with related items the database holds what a naive model holds', async () => {
  const written = asyncProperty(
    array(nat(), { minLength: 100, maxLength: 400, size: 'max' }),
    integer({ min: 1, max: 4 }),
    (numbers, count) =>
      playScene(opened, async (scene) => {
        let position = 0
        const choose = (below: number): number => (numbers[position++] ?? 0) % below
        const state = await stateOf(scene)
        const trees = drawTrees(state, choose, count)
        for (const mutation of mutationsOf(state, trees)) await writeItems(scene.ctx, mutation)
        // New rows are written first.
        for (const tree of trees.toSorted((left, right) => Number(right.isNew) - Number(left.isNew)))
          applyTree(state, tree)
        expect(comparable(await stateOf(scene))).toEqual(comparable(state))
      }),
  )
  await assert(written, { numRuns: 60 })
})
