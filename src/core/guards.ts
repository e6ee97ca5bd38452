/**
 * What no write may do, whoever asks and by whichever path: take the last administrator away, give
 * anybody more rights than the writer holds, leave a session behind that should have ended, comment on
 * what the writer does not see. The rows that were really written are judged, inside the transaction, so
 * that related items, batches and deletions by query need no rules of their own. Writes to rights take turns.
 */
import type { Context, Database, Written } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Key, Mutation } from '../domain/mutation.ts'
import { hasAdministrator } from './administrators.ts'
import { assertComments, commentsCollection } from './guard-comments.ts'
import { assertFiles, fileFacts, filesCollection } from './guard-files.ts'
import { assertNothingGained, assertRulesUsable } from './guard-rights.ts'
import { assertShareItems, assertShares, shareFacts, sharesCollection } from './guard-shares.ts'
import { assertUserItems, endSessions } from './guard-users.ts'
import { guardVersions, versionFacts } from './guard-versions.ts'
import { judgeWritten } from './judge-written.ts'
import { linkOwnPolicies, withOwnPolicy } from './own-policies.ts'
import { touchedBy } from './touched.ts'
import { withTransaction } from './transaction.ts'
import { versionsCollection } from './version-rows.ts'

/** Collections on which somebody's rights hang. */
const accessCollections = [
  'platform_users',
  'platform_roles',
  'platform_policies',
  'platform_access',
  'platform_permissions',
  'platform_shares',
] as const

/** Fields of a system collection that only the server sets. */
const facts: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [filesCollection, fileFacts],
  [sharesCollection, shareFacts],
  [versionsCollection, versionFacts],
])

/** Whether the field stays as it is when its row is put back to an earlier state. */
export const isFact = (collection: string, field: string): boolean => facts.get(collection)?.has(field) ?? false

type Work = (ctx: Context, mutation: Mutation) => Promise<readonly Key[]>

/** Does the work; where it may change anybody's rights, in a transaction of its own that is judged at its end. */
export async function guarded(ctx: Context, mutation: Mutation, work: Work): Promise<readonly Key[]> {
  const { collections, items } = touchedBy(ctx.schema, mutation)
  await assertFiles(
    ctx,
    items.filter(({ collection }) => collection === filesCollection),
  )
  const changesAccess = accessCollections.some((name) => collections.has(name))
  const commented: Work = (inner, asked) =>
    collections.has(commentsCollection)
      ? judgeWritten(inner, commentsCollection, { work: (within) => work(within, asked), judge: assertComments })
      : work(inner, asked)
  const judged: Work = (inner, asked) =>
    collections.has(versionsCollection)
      ? guardVersions(inner, items, (within) => commented(within, asked))
      : commented(inner, asked)
  if (!changesAccess && !collections.has('platform_settings')) return judged(ctx, mutation)
  const keys = await withTransaction(ctx, async (base) => {
    const { db } = base
    await takeAccessTurn(db)
    await assertUserItems(base, items)
    assertShareItems(ctx, items)
    const written: Written[] = []
    const inner: Context = { ...base, onWritten: (each) => void written.push(each) }
    const had = await hasAdministrator(db, ctx.request.ip)
    const done = await judged(inner, await withOwnPolicy(inner, mutation))
    await linkOwnPolicies(inner, written)
    await assertRoleTree(inner, written)
    if (had && !(await hasAdministrator(db, ctx.request.ip))) throw lastAdministrator()
    await assertNotEverybody(inner, written)
    await assertShares(inner, written)
    await assertNothingGained(inner, written)
    await assertRulesUsable(inner, written)
    await endSessions(inner, written)
    return done
  })
  if (changesAccess) await ctx.forgetActors()
  return keys
}

/** Names the turn that writes to access collections take. */
const turn = 7_265_001

/** Whoever writes to them waits here, until the end of its transaction, for whoever came before. */
export async function takeAccessTurn(db: Database): Promise<void> {
  await db.run({ text: 'select pg_advisory_xact_lock($1)', values: [turn], name: 'access-turn' })
}

const lastAdministrator = (): TandemError =>
  new TandemError({ kind: 'unprocessable', reason: 'The last administrator cannot lose its rights' })

/** What is attached to no role and no user is everybody's, those included who have not said who they are. */
async function assertNotEverybody({ db }: Context, written: readonly Written[]): Promise<void> {
  if (!written.some(({ collection }) => collection === 'platform_access' || collection === 'platform_policies')) return
  const text = `select 1 from platform_access a join platform_policies p on p.id = a.policy
    where p.admin_access and a.role is null and a."user" is null limit 1`
  const { count } = await db.run({ text, values: [] })
  if (count > 0) throw new TandemError({ kind: 'unprocessable', reason: 'Not everybody can be an administrator' })
}

/** Before roles are deleted: their users are suspended, rather than left with what everybody may do. */
export async function suspendHolders({ db }: Context, collection: string, keys: readonly Key[]): Promise<void> {
  if (collection !== 'platform_roles') return
  const text = `with held as (update platform_users set status = 'suspended' where role::text = any($1) returning id)
    delete from platform_sessions where "user" in (select id from held)`
  await db.run({ text, values: [keys.map(String)] })
}

/** Nobody inherits from itself, nor from so many that nobody would look there. */
async function assertRoleTree({ db }: Context, written: readonly Written[]): Promise<void> {
  if (!written.some(({ collection, columns }) => collection === 'platform_roles' && columns.includes('parent'))) return
  const { count } = await db.run({ text: tooHigh, values: [] })
  if (count === 0) return
  const reason = 'Expected a role above this one, at most 20 of them, for "parent"'
  throw new TandemError({ kind: 'invalid-payload', name: 'parent', reason })
}

const tooHigh = `
with recursive up (parent, depth) as (
  select parent, 1 from platform_roles where parent is not null
  union all
  select r.parent, u.depth + 1 from up u join platform_roles r on r.id = u.parent
    where r.parent is not null and u.depth < 20
)
select 1 from up where depth = 20 limit 1`
