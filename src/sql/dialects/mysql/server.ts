/** Which servers are served, and by which dialect. */
import type { Database } from '../../../domain/ports/context.ts'

/** `mysql` is that of MariaDB, `mysql8` that of MySQL. */
export type MySqlDialectName = 'mysql' | 'mysql8'

const oldest = { mysql: '10.6.0', mysql8: '8.0.31' } as const

export const dialectOfVersion = (version: string): MySqlDialectName =>
  version.includes('MariaDB') ? 'mysql' : 'mysql8'

/** The first three numbers of a version as the server tells it, `10.11.6-MariaDB`. */
const partsOf = (version: string): readonly number[] =>
  (/^(?:5\.5\.5-)?(\d+)\.(\d+)(?:\.(\d+))?/.exec(version) ?? []).slice(1).map((part) => Number(part ?? 0))

/** What is wrong with a version; null if nothing is. */
export function faultOf(version: string): string | null {
  const given = partsOf(version)
  const least = partsOf(oldest[dialectOfVersion(version)])
  const at = least.findIndex((part, index) => part !== given[index])
  if (given.length > 0 && (at === -1 || (given[at] as number) > (least[at] as number))) return null
  return `Expected a server of MariaDB ${oldest.mysql} or MySQL ${oldest.mysql8}, or later, but received ${version}`
}

/** Throws for a server that is not served. */
export async function assertServer(db: Pick<Database, 'run'>): Promise<void> {
  const { rows } = await db.run({ text: 'select version() as version', values: [] })
  const fault = faultOf((rows as readonly { readonly version: string }[])[0]?.version ?? '')
  if (fault !== null) throw new Error(fault)
}
