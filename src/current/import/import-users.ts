/** Users: those whose address is here already, and secrets from the database of the source. */
import { writeItems } from '../../core/items/items.ts'
import { keepPasswordHash } from '../../core/server/provision.ts'
import type { SourceRow, UserSecrets } from '../../domain/ports/import-source.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { openForWork } from '../wire/collections.ts'
import { parseUpdateMany } from '../wire/mutation.ts'
import type { Step } from './import-order.ts'
import { reasonOf } from './import-report.ts'
import { createRowImporter, type RowImporter } from './import-rows.ts'
import { keyText, presentBy } from './present-rows.ts'
import { type Session, wordOf } from './session.ts'

/** A user whose address another user has here is not created: references to that user lead to the one here. */
export async function createUserImporter(session: Session, step: Step): Promise<RowImporter> {
  const take = await createRowImporter(session, step)
  const { ctx, reporting, sameUsers } = session
  const counts = reporting.table(step.collection.name)
  return async (rows) => {
    const values = rows.flatMap(({ email }) => (typeof email === 'string' ? [email.toLowerCase()] : []))
    const present = await presentBy(ctx, step.collection, { field: 'email', values })
    const isNew = (row: SourceRow): boolean => {
      const sourceRow = typeof row['email'] === 'string' ? present.get(row['email'].toLowerCase()) : undefined
      if (sourceRow === undefined || keyText(sourceRow['id']) === keyText(row['id'])) return true
      sameUsers.set(keyText(row['id']), wordOf(sourceRow['id']))
      reporting.note(`The user ${wordOf(row['email'])} was here already, and stays as it is`)
      return false
    }
    const fresh = rows.filter(isNew)
    counts.here += rows.length - fresh.length
    await take(fresh)
  }
}

/** Gives imported users their passwords, tokens and second factors, where they have none yet. */
export async function importSecrets(session: Session, { collection }: Step): Promise<void> {
  const { ctx, source, reporting } = session
  if (source.secrets === null) {
    reporting.note('Users have no passwords, tokens and second factors: the API of the source does not show them')
    return
  }
  const secrets = await source.secrets()
  const present = await presentBy(ctx, collection, { field: 'id', values: secrets.map(({ id }) => id) })
  for (const each of secrets) {
    const user = present.get(keyText(each.id))
    if (user !== undefined) await keepSecrets(session, { collection, user, secrets: each })
  }
}

type ImportedUser = { readonly collection: Collection; readonly user: SourceRow; readonly secrets: UserSecrets }

async function keepSecrets({ ctx, reporting }: Session, { collection, user, secrets }: ImportedUser): Promise<void> {
  const { id, password, token, tfa_secret } = secrets
  try {
    if (password !== null && user['password'] === null) await keepPasswordHash(ctx.db, { user: id, hash: password })
    const others = Object.entries({ token, tfa_secret }).filter(
      ([name, value]) => value !== null && (user[name] ?? null) === null,
    )
    if (others.length === 0) return
    const item = { id, ...Object.fromEntries(others) }
    await writeItems(ctx, parseUpdateMany([item], openForWork(ctx, collection.name)))
  } catch (error) {
    reporting.miss(`The secrets of the user ${id} were not taken: ${reasonOf(error)}`)
  }
}
