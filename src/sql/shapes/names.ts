/** Generates names of prepared statements. */
import type { Dialect } from '../dialects/dialect.ts'

/** Returns the name of a text; none once the limit of names is reached. */
export type NameOf = (dialect: Pick<Dialect, 'preparedNames'>, text: string) => { readonly name?: string }

/**
 * Names by text. Each connection keeps its prepared statements, so their number is limited. Reads and writes have
 * separate limits, because clients influence the texts of reads.
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
