/** Which servers are served. */
import type { Database } from '../../../domain/ports/context.ts'

const oldest = [10, 6] as const

/** What is wrong with a version as the server tells it, `10.11.6-MariaDB`; null if nothing is. */
export function faultOf(version: string): string | null {
  const [, major = '0', minor = '0'] = /^(?:5\.5\.5-)?(\d+)\.(\d+)/.exec(version) ?? []
  const isOld = Number(major) < oldest[0] || (Number(major) === oldest[0] && Number(minor) < oldest[1])
  if (version.includes('MariaDB') && !isOld) return null
  return `Expected a server of MariaDB ${oldest.join('.')} or later (MySQL is not served) but received ${version}`
}

/** Throws for a server that is not served. */
export async function assertServer(db: Pick<Database, 'run'>): Promise<void> {
  const { rows } = await db.run({ text: 'select version() as version', values: [] })
  const fault = faultOf((rows as readonly { readonly version: string }[])[0]?.version ?? '')
  if (fault !== null) throw new Error(fault)
}
