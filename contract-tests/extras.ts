/** Further requests of an operation: `legacy.refused('authenticate', 'a wrong password', { body })`. */
import type { Extra } from './data-cases.ts'

export type Part = Pick<Extra, 'as' | 'path' | 'query' | 'body' | 'headers'>

export const extrasOf = (generation: Extra['generation']) => ({
  refused: (operation: string, rule: string, part: Part = {}): Extra => ({
    generation,
    operation,
    rule,
    kind: 'negative',
    ...part,
  }),
  accepted: (operation: string, rule: string, part: Part = {}): Extra => ({
    generation,
    operation,
    rule,
    kind: 'positive',
    ...part,
  }),
})

export const current = extrasOf('current')
export const legacy = extrasOf('legacy')
