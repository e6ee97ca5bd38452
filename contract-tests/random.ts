/** Random choices from a seed, and word lists. */

/** A stream of random choices. */
export type Random = {
  readonly below: (limit: number) => number
  readonly pick: <T>(list: readonly T[]) => T
}

/** The generator mulberry32: evenly distributed and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return { below, pick: (list) => list[below(list.length)] as (typeof list)[number] }
}

export const words = (text: string): readonly string[] => text.trim().split(/[ \n]+/)
