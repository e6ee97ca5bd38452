/** Names of prepared statements. */
import type { Dialect } from './dialect.ts'

/** Gives a text its name, as long as there are names left. */
export type NameOf = (dialect: Pick<Dialect, 'preparedNames'>, text: string) => { readonly name?: string }

/**
 * Names by text. Prepared statements stay on each connection, so there is an end to them; reads, whose texts
 * clients have a say in, take none from writes.
 */
function createNames(prefix: string): NameOf {
  const names = new Map<string, { readonly name: string }>()
  return ({ preparedNames }, text) => {
    if (!preparedNames) return {}
    let name = names.get(text)
    if (name === undefined && names.size < mostNames) names.set(text, (name = { name: `${prefix}${names.size}` }))
    return name ?? {}
  }
}

const mostNames = 1000

export const readName: NameOf = createNames('q')
export const writeName: NameOf = createNames('w')
