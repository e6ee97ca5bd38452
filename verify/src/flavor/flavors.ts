/** What differs in foreign deployments of the current generation. */
import type { Difference } from './difference.ts'
import { directusDifferences } from './directus.ts'

export type FlavorName = 'tandem' | 'directus'

export type Flavor = {
  readonly name: FlavorName
  /** Whether answers are compared with the served spec. */
  readonly trustsSpec: boolean
  readonly differences: readonly Difference[]
}

export const flavors = {
  tandem: { name: 'tandem', trustsSpec: true, differences: [] },
  directus: { name: 'directus', trustsSpec: false, differences: directusDifferences },
} as const satisfies { readonly [Name in FlavorName]: Flavor }

/** The difference that takes a check away; null if the check applies. */
export const differenceOf = ({ differences }: Flavor, title: string): Difference | null =>
  differences.find(({ check }) => check.test(title)) ?? null
