/** How column texts become JavaScript values. Compiled reads take the texts as they are; bookkeeping takes objects. */

type Types = { getTypeParser(oid: number): (text: string) => unknown }

const same = (text: string): string => text

/** Texts, as the server wrote them. */
export const textTypes: Types = { getTypeParser: () => same }

/**
 * JavaScript values where one holds the column's value exactly: small integers, floats, booleans, JSON,
 * instants as ISO texts in UTC. Big integers, decimals, dates and everything else stay text.
 */
export const objectTypes: Types = { getTypeParser: (oid) => byOid.get(oid) ?? same }

/** The session's time zone is UTC, so an instant ends in `+00`. */
const toInstant = (text: string): string => text.replace(' ', 'T').replace(/\+00$/, 'Z')

const byOid: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [21, Number],
  [23, Number],
  [26, Number],
  [700, Number],
  [701, Number],
  [114, (text) => JSON.parse(text) as unknown],
  [3802, (text) => JSON.parse(text) as unknown],
  [1184, toInstant],
])
