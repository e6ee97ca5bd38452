/** The test world of core, seen through the view of this generation. */
import { afterAll, beforeAll } from 'vitest'
import { openTestWorld, type TestWorld } from '../../core/testing/test-context.ts'
import type { Context } from '../../domain/ports/context.ts'
import { createView } from '../views/schema-view.ts'

/** Opens a world for the tests of a file. `opened` is called with it before the first test. */
export function withViewedWorld(opened: (world: TestWorld, ctx: Context) => void): void {
  let world: TestWorld
  beforeAll(async () => {
    world = await openTestWorld()
    opened(world, { ...world.ctx, view: createView(world.ctx.schema) })
  })
  afterAll(() => world.close())
}
