/** What differs in foreign deployments of the current generation. */
/** A difference takes a check away, or says why its failure is expected. */
export type Difference = {
  /** A part of the titles of the checks that do not apply. */
  readonly check: RegExp
  /** What the foreign deployment does, and since when. */
  readonly because: string
}

/** Where Directus 11 and 12 answer otherwise. Their served spec is not trusted, and there is no legacy API. */
export const directusDifferences: readonly Difference[] = [
  {
    check: /^items \w+: .*conditional/,
    because: 'There is no If-Match: a conditional write always succeeds.',
  },
  {
    check: /^items deleteItem: a deleted item is gone/,
    because: 'An administrator who deletes a missing item is answered 204.',
  },
  {
    check: /^items deleteItems: a missing key refuses/,
    because: 'An administrator deletes the keys that exist; missing ones are ignored.',
  },
  {
    check: /^items updateItems: a batch with a missing key/,
    because: 'An administrator updates the keys that exist; missing ones are ignored.',
  },
  {
    check: /^items (createItems|updateItem): (impossible values|a list with an impossible|an impossible related)/,
    because: 'Text in a number, date or uuid column is answered 500 with the text of the database.',
  },
  {
    check: /^random readItems: random invalid queries/,
    because: 'Sorting or aggregating by an unknown field is answered 500.',
  },
  {
    check: /^lists readItems: invalid filters/,
    because: 'An administrator who filters by an unknown field is answered 400.',
  },
  {
    check: /^lists readItems: unknown fields/,
    because: 'Unknown fields are ignored in some versions, and sorting by one is a failure of the server.',
  },
  {
    check: /^lists readItems: unknown aggregates/,
    because: 'Unknown functions of aggregates are ignored.',
  },
  {
    check: /^rights readItems: an unreadable field is refused by (related field|unreadable relation)/,
    because: 'Some versions leave unreadable relations out of the answer in place of refusing them.',
  },
  {
    check: /^rights readItems: an unreadable field is refused by (sort|related sort|deep sort)/,
    because: 'Some versions sort by fields that the user may not read.',
  },
  {
    check: /^rights readItems: search looks/,
    because: 'Some versions search in fields that the user may not read.',
  },
  {
    check: /^graphql readGraphql: aggregates/,
    because: 'GraphQL answers null as `countAll` in some versions.',
  },
  {
    check: /^spec readServerInfo: errors do not show/,
    because: 'An administrator who sorts by an unknown field is answered 500 with the text of the database.',
  },
]

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
