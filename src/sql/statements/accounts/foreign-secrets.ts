/** Secrets in the database of a Directus project. */
import { allRows, type Runner } from '../answers.ts'

/** Secrets as they are stored there: the password as a hash, token and second factor as text. */
export type ForeignSecrets = {
  readonly id: string
  readonly password: string | null
  readonly token: string | null
  readonly tfa_secret: string | null
}

export const findForeignSecrets = (db: Runner): Promise<readonly ForeignSecrets[]> =>
  allRows(db, { text: 'select id::text as id, password, token, tfa_secret from directus_users', values: [] })

export async function findForeignSharePasswords(db: Runner): Promise<ReadonlyMap<string, string>> {
  const text = 'select lower(id::text) as id, password from directus_shares where password is not null'
  const rows = await allRows<{ readonly id: string; readonly password: string }>(db, { text, values: [] })
  return new Map(rows.map(({ id, password }) => [id, password]))
}
