import * as fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { openTestModel, type TestModel } from '../../core/testing/test-model.ts'
import { applyTo } from '../testing/test-apply.ts'
import { modelArbitrary } from '../testing/test-snapshots.ts'
import { diffSnapshots } from './schema-diff.ts'
import { patchSnapshot } from './schema-patch.ts'
import { type Snapshot, withPlatformKeys } from './schema-snapshot.ts'
import { compareSnapshot, readSnapshot } from './schema-sync.ts'

vi.setConfig({ testTimeout: 240_000 })

const source = await openTestModel()
const target = await openTestModel()

afterAll(async () => {
  await source.close()
  await target.close()
})

const head = { version: 1, platform: '0', vendor: 'postgres' }
const nothing: Snapshot = { ...head, collections: [], fields: [], relations: [] }

/** Applies the snapshot through a diff that is serialized as JSON, as between instances. */
async function bring(model: TestModel, given: Snapshot): Promise<Snapshot> {
  const diff = compareSnapshot(model.ctx(), JSON.parse(JSON.stringify(given)) as Snapshot, false)
  if (diff !== null) {
    const { schema } = await applyTo(model, diff)
    return readSnapshot({ ...model.ctx(), schema })
  }
  return readSnapshot(model.ctx())
}

/** As clients see it: foreign keys without settings of their own look like those with the usual ones. */
const shown = (snapshot: Snapshot): string => JSON.stringify(withPlatformKeys(snapshot, '12.2.1'))

const plan = { numRuns: 3, seed: 20_261_121, endOnFailure: true }

test('a model applied to an empty instance gives an identical snapshot', async () => {
  await fc.assert(
    fc.asyncProperty(modelArbitrary, modelArbitrary, async (first, second) => {
      await bring(source, nothing)
      await bring(target, nothing)
      for (const model of [first, second]) {
        const made = await bring(source, { ...head, ...model })
        expect(compareSnapshot(source.ctx(), { ...head, ...model }, false)).toBeNull()
        const moved = await bring(target, made)
        expect(shown(moved)).toBe(shown(made))
        expect(compareSnapshot(target.ctx(), made, false)).toBeNull()
      }
      await bring(target, nothing)
      const made = readSnapshot(source.ctx())
      expect(shown(await bring(target, made))).toBe(shown(made))
    }),
    plan,
  )
})

const complete = (model: object): Snapshot => JSON.parse(JSON.stringify({ ...head, ...model })) as Snapshot

test('applying the differences of two models to the first gives the second', () => {
  fc.assert(
    fc.property(modelArbitrary, modelArbitrary, (first, second) => {
      const before = patchSnapshot(nothing, diffSnapshots(nothing, complete(first)))
      const after = patchSnapshot(nothing, diffSnapshots(nothing, complete(second)))
      expect(shown(patchSnapshot(before, diffSnapshots(before, after)))).toBe(shown(after))
      expect(shown(patchSnapshot(after, diffSnapshots(after, before)))).toBe(shown(before))
    }),
    { ...plan, numRuns: 100 },
  )
})
