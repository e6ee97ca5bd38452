/**
 * Checks that apply to every write: the last administrator keeps its rights, nobody grants more rights than they have,
 * sessions end when they must, and comments belong to visible items. The rows that were really written are checked
 * inside the transaction, so related items, batches and deletions by query need no rules of their own. Writes that can
 * change rights run one after another.
 */
import type { Context, Database, Effect } from '../../domain/ports/context.ts'
import type { WriteLog, Written } from '../../domain/ports/write-log.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Mutation } from '../../domain/query/mutation.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { isEverybodyAdministrator, isRoleTreeTooHigh } from '../../sql/statements/accounts/access.ts'
import { suspendUsersOfRoles } from '../../sql/statements/accounts/users.ts'
import { lockAccess } from '../../sql/statements/locks.ts'
import { deleteReleased } from '../objects/stored-objects.ts'
import { touchedBy, type WrittenCollections } from '../rows/touched-collections.ts'
import { afterCommit, forgetActors, withTransaction } from '../rows/transaction.ts'
import { versionsCollection } from '../rows/versioned.ts'
import { openLog } from '../rows/write-log.ts'
import { hasAdministrator } from './administrators.ts'
import { assertComments, commentsCollection } from './guard-comments.ts'
import { assertFiles, filesCollection } from './guard-files.ts'
import { assertLevelsAllowed, assertNothingGained, assertRulesUsable } from './guard-rights.ts'
import { assertShares } from './guard-shares.ts'
import { assertUserItems, endSessions } from './guard-users.ts'
import { assertItemsVisible, assertVersions, withUniqueVersionKeys } from './guard-versions.ts'
import { assertWebhooks, webhooksCollection } from './guard-webhooks.ts'
import { linkOwnPolicies, withOwnPolicy } from './own-policies.ts'
import { assertNotSetByServer } from './server-fields.ts'

/** Collections that determine rights. */
const accessCollections = [
  'platform_users',
  'platform_roles',
  'platform_policies',
  'platform_access',
  'platform_permissions',
  'platform_role_levels',
  'platform_shares',
] as const

type WriteItems = (ctx: Context, mutation: Mutation, log: WriteLog) => Promise<readonly Key[]>

/**
 * Does the work. Work that may change rights runs in one transaction, which is checked at its end. Objects of deleted
 * files are deleted after the commit.
 */
export async function guarded(ctx: Context, mutation: Mutation, work: WriteItems): Promise<readonly Key[]> {
  const touched = touchedBy(ctx.schema, mutation)
  const { collections, removes, items } = touched
  await assertFiles(
    ctx,
    items.filter(({ collection }) => collection === filesCollection),
  )
  assertNotSetByServer(ctx, items)
  const changesAccess = accessCollections.some((name) => collections.has(name))
  const checked = withJudges(touched, work)
  const keys = await (changesAccess || collections.has('platform_settings')
    ? inAccessTransaction(ctx, mutation, { items, work: checked })
    : checked(ctx, mutation, openLog()))
  if (ctx.changed !== undefined) noteChanges(ctx, ctx.changed, { touched, root: mutation.collection, keys })
  if (changesAccess) await afterCommit(ctx, forgetActors)
  if (removes.has(filesCollection)) await afterCommit(ctx, deleteReleased)
  return keys
}

type Noted = { readonly touched: WrittenCollections; readonly root: string; readonly keys: readonly Key[] }

/** Of related and dragged rows it is not known which ones are changed. */
function noteChanges(
  { schema }: Pick<Context, 'schema'>,
  changed: NonNullable<Context['changed']>,
  { touched, root, keys }: Noted,
): void {
  const isTree = schema.relations.some((each) => each.oneCollection === root && each.manyCollection === root)
  for (const name of touched.collections) {
    const keysSoFar = changed.has(name) ? changed.get(name) : new Set<string>()
    const changedKeys = name === root && !isTree ? (keysSoFar ?? null) : null
    for (const key of keys) changedKeys?.add(String(key))
    changed.set(name, changedKeys)
  }
}

/** Checks of written rows, by their collection. */
const judges: ReadonlyMap<string, (inner: Context, written: Written) => Promise<void>> = new Map([
  [commentsCollection, assertComments],
  [webhooksCollection, assertWebhooks],
  [versionsCollection, assertVersions],
])

/** Adds the checks of written rows to the work, in one transaction, if the mutation may write such rows. */
function withJudges({ collections, items }: WrittenCollections, work: WriteItems): WriteItems {
  if (judges.keys().every((name) => !collections.has(name))) return work
  const versions = items.filter(({ collection }) => collection === versionsCollection)
  return (ctx, mutation, log) =>
    withTransaction(ctx, async (inner) => {
      // What an attempt wrote that a conflict has ended is undone.
      log.written.length = 0
      await assertItemsVisible(inner, versions)
      const keys = await withUniqueVersionKeys(work(inner, mutation, log))
      for (const each of log.written) await judges.get(each.collection)?.(inner, each)
      return keys
    })
}

/** The settings that belong to the schema (`project-settings.ts`) are among the entries. */
const isOfSchema = ({ collection, changes }: WrittenCollections['items'][number]): boolean =>
  collection === 'platform_settings' && changes.has('entries')

/** Lets all replicas read the schema again once the transaction is committed. */
async function announceSchema(inner: Context): Promise<void> {
  await inner.schemas.announce(inner.db)
  await afterCommit(inner, refreshSchema)
}

const refreshSchema: Effect = async ({ schemas }) => void (await schemas.refresh())

type AccessChange = { readonly items: WrittenCollections['items']; readonly work: WriteItems }

/** Runs writes that may change rights one after another, and rolls them back if a check fails. */
function inAccessTransaction(ctx: Context, mutation: Mutation, { items, work }: AccessChange): Promise<readonly Key[]> {
  return withTransaction(ctx, async (inner) => {
    const { db } = inner
    // The lock comes first: what follows is decided on rights that nobody else changes meanwhile.
    await lockAccess(db)
    // What the payload alone decides, before anything is written.
    await assertUserItems(inner, items)
    const log = openLog()
    const { written } = log
    const had = await hasAdministrator(db, ctx.request.ip)
    const done = await work(inner, await withOwnPolicy(inner, mutation), log)
    // These rows belong to the written ones, so the checks below look at them too.
    await linkOwnPolicies(inner, written)
    // The checks below follow the parents of roles, which must form no cycle.
    await assertRoleTree(inner, written)
    // First what would harm the whole project, then what this caller may not do.
    if (had && !(await hasAdministrator(db, ctx.request.ip))) throw lastAdministrator()
    await assertNotEverybody(inner, written)
    await assertShares(inner, written)
    assertLevelsAllowed(inner, written)
    await assertNothingGained(inner, written)
    // Rules are read only after it is clear that the caller may write them: these errors quote them.
    await assertRulesUsable(inner, written)
    // Last, because only a write that stays ends sessions.
    await endSessions(inner, written)
    if (items.some(isOfSchema)) await announceSchema(inner)
    return done
  })
}

/** Takes the lock for access if writes to the collection need it. Call it before rows of the collection are locked. */
export async function lockAccessFor(db: Database, collection: string): Promise<void> {
  const isGuarded = collection === 'platform_settings' || accessCollections.some((name) => name === collection)
  if (isGuarded) await lockAccess(db)
}

const lastAdministrator = (): TandemError =>
  new TandemError({ kind: 'last-administrator', reason: 'The last administrator cannot lose its rights' })

/** A policy without role and user applies to everybody, including anonymous callers. */
async function assertNotEverybody({ db }: Pick<Context, 'db'>, written: readonly Written[]): Promise<void> {
  if (!written.some(({ collection }) => collection === 'platform_access' || collection === 'platform_policies')) return
  if (await isEverybodyAdministrator(db))
    throw new TandemError({ kind: 'unprocessable', reason: 'A public policy cannot have admin access' })
}

/** Roles that a generation knows by fixed numbers. */
const fixedRoles: ReadonlySet<string> = new Set([seedIds.administratorRole, seedIds.publicRole])

/**
 * Suspends the users of roles that will be deleted. Otherwise they would keep the public rights. Throws `forbidden` for
 * the first two roles.
 */
export async function suspendHolders(
  { db }: Pick<Context, 'db'>,
  collection: string,
  keys: readonly Key[],
): Promise<void> {
  if (collection !== 'platform_roles') return
  const ids = keys.map((key) => String(key).toLowerCase())
  if (ids.some((id) => fixedRoles.has(id))) {
    throw new TandemError({ kind: 'forbidden', reason: 'The Administrator and Public roles cannot be deleted' })
  }
  await suspendUsersOfRoles(db, ids)
}

/** The parents of a role form no cycle, and there are at most 20 of them. */
async function assertRoleTree({ db }: Pick<Context, 'db'>, written: readonly Written[]): Promise<void> {
  if (!written.some(({ collection, columns }) => collection === 'platform_roles' && columns.includes('parent'))) return
  if (!(await isRoleTreeTooHigh(db))) return
  const reason = 'Expected a role above this one, at most 20 of them, for "parent"'
  throw invalidPayload('parent', reason)
}
