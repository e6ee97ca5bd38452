/** The specs of GraphQL, which are written by hand. */
import { readFileSync } from 'node:fs'

export const sdlNames = ['current-items', 'current-system', 'legacy'] as const

/** The text of a spec. */
export const readSdl = (name: (typeof sdlNames)[number]): string =>
  readFileSync(new URL(`../../graphql/${name}.graphql`, import.meta.url), 'utf8')
