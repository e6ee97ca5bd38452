/** Notes what requests may have changed, because resetting the world before each of them would cost more than they do. */
import type { Case } from '../verify/src/cases/case.ts'
import { fillTokens } from './live-tokens.ts'
import type { Changed, World } from './world.ts'

export type Dirt = {
  /** Resets what was changed since the last call. */
  readonly clean: () => Promise<void>
  /** The case with live tokens, whose issue changes rows. */
  readonly fill: (each: Case) => Promise<Case>
  readonly note: (changed: Changed | null) => void
}

export function createDirt(world: () => World): Dirt {
  let dirt: Changed | null = null
  const note = (changed: Changed | null): void => {
    dirt = dirt === 'model' ? dirt : (changed ?? dirt)
  }
  return {
    note,
    async clean() {
      if (dirt !== null) await world().reset(dirt)
      dirt = null
    },
    async fill(each) {
      const filled = await fillTokens(world(), each)
      if (filled !== each) note('rows')
      return filled
    },
  }
}
