/** Writes that run once per `Idempotency-Key`: the answer is stored in the transaction of the write, and expires. */
import { networkOf } from '../../counters/network.ts'
import type { Context, Database, Log, ReadContext } from '../../domain/ports/context.ts'
import type { KeySettings } from '../../domain/ports/settings.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { dialectOf } from '../../sql/dialects/dialects.ts'
import {
  countKeys,
  deleteExpired,
  findStoredAnswer,
  keepAnswer,
  type OmittedReason,
  type StoredAnswer,
  tryLockKey,
} from '../../sql/statements/batch/idempotency.ts'
import { keyedDigest } from '../../tokens/digest.ts'
import { repeatEvery } from '../recurring.ts'
import { withTransaction } from '../rows/transaction.ts'
import { withSavepoints } from './whole-database.ts'

export type { StoredAnswer }

/** `request`: everything that distinguishes one request from another, as text. `changesModel`: whether the work changes tables. */
export type KeyedRequest = { readonly key: string; readonly request: string; readonly changesModel?: boolean }

/** Returns the stored answer of an equal request. Throws `key-reused` if the stored request differs. */
export type Compare = (request: string) => StoredAnswer

/** Looks for an answer under the key before the body of the request is read; null if it is not stored yet. */
export async function findAnswer(
  ctx: ReadContext & Pick<Context, 'request' | 'security'>,
  key: string,
): Promise<Compare | null> {
  const stored = await findStoredAnswer(ctx.db, { caller: callerOf(ctx), key })
  return stored === null ? null : (request) => answerTo(stored, keyedDigest(request, ctx.security.secret))
}

type Found = { readonly digest: string; readonly answer: StoredAnswer | OmittedReason }

function answerTo({ digest, answer }: Found, requestDigest: string): StoredAnswer {
  if (digest !== requestDigest) throw new TandemError({ kind: 'key-reused' })
  if (typeof answer !== 'string') return answer
  const reason = `The request with this Idempotency-Key is done. ${omittedBecause[answer]}`
  throw new TandemError({ kind: 'unprocessable', reason })
}

const omittedBecause: { readonly [Each in OmittedReason]: string } = {
  large: 'Its answer was larger than what is kept (IDEMPOTENCY_MAX_ANSWER): read what it has written',
  secret: 'Its answer had a secret, which is shown once: make a new one if it was lost',
}

/** `stored`: what is stored under the key. Null for a failure, whose work is undone; for an answer with a secret, only the key. */
export type Outcome<Answer> = { readonly answer: Answer; readonly stored: StoredAnswer | 'secret' | null }

const usualKeys: KeySettings = { ttl: 86_400_000, most: 100_000, largest: 262_144 }

/**
 * Does the work in one transaction and keeps its answer, or returns the answer that is kept under the key. Throws
 * `key-reused` for another request with the key, and `request-in-progress` while the first one is not done; the database
 * decides, so it holds for all replicas. Nothing is kept of failed work. Of an answer that is too large or has a secret
 * only the key is kept: a repetition is told that the work is done. Where changes of tables are no part of a
 * transaction, such work has its own, and its answer is kept right after it.
 */
export async function onceByKey<Answer>(
  ctx: Context,
  { key, request, changesModel = false }: KeyedRequest,
  work: (inner: Context) => Promise<Outcome<Answer>>,
): Promise<{ readonly answer: Answer } | { readonly stored: StoredAnswer }> {
  const entry = { caller: callerOf(ctx), key }
  const digest = keyedDigest(request, ctx.security.secret)
  const settings = ctx.keys ?? usualKeys
  const isApart = changesModel && !dialectOf(ctx.db).transactionalDdl
  let doneApart: Outcome<Answer> | undefined
  try {
    return await withTransaction(ctx, async (inner) => {
      if (!(await tryLockKey(inner.db, entry))) throw new TandemError({ kind: 'request-in-progress', retryAfter: 1 })
      const earlier = await findStoredAnswer(inner.db, entry)
      if (earlier !== null) return { stored: answerTo(earlier, digest) }
      if ((await countKeys(inner.db, entry.caller, settings.most)) >= settings.most) throw tooMany(settings.most)
      if (isApart) doneApart ??= await work(ctx)
      const { answer, stored } = doneApart ?? (await work({ ...inner, db: withSavepoints(inner.db) }))
      if (stored === null) throw new Undone(answer)
      const isLarge = stored !== 'secret' && Buffer.byteLength(stored.body ?? '') > settings.largest
      await keepAnswer(inner.db, { ...entry, digest, answer: isLarge ? 'large' : stored, ttl: settings.ttl })
      return { answer }
    })
  } catch (error) {
    if (error instanceof Undone) return { answer: error.answer as Answer }
    throw error
  }
}

/** Ends the transaction of work that has an answer all the same. */
class Undone extends Error {
  readonly answer: unknown

  constructor(answer: unknown) {
    super('The work is undone')
    this.answer = answer
  }
}

/** Keys of one caller are nothing to others. An API key may have fewer rights than its user, whose answers it cannot have. */
function callerOf({ actor, request }: Pick<Context, 'actor' | 'request'>): string {
  switch (actor.kind) {
    case 'user':
      return actor.key === undefined ? `user ${actor.user}` : `key ${actor.key.id}`
    case 'share':
      return `share ${actor.share} ${networkOf(request.ip)}`
    case 'public':
      return `address ${networkOf(request.ip)}`
    case 'system':
      return 'system'
  }
}

const tooMany = (most: number): TandemError => {
  const reason = `Expected at most ${most} Idempotency-Keys of one caller at the same time`
  return new TandemError({ kind: 'unprocessable', reason })
}

const batch = 1000

/** Returns the number of deleted answers. */
export async function deleteAllExpired(db: Pick<Database, 'run'>): Promise<number> {
  let all = 0
  for (;;) {
    const count = await deleteExpired(db, batch)
    all += count
    if (count < batch) return all
  }
}

/** Deletes them every ten minutes. The result stops it and waits for a running deletion. */
export const deleteExpiredKeys = (db: Pick<Database, 'run'>, log: Log): (() => Promise<void>) =>
  repeatEvery(600_000, async () => {
    await deleteAllExpired(db).catch((error: unknown) =>
      log.warn({ err: error }, 'Expired answers could not be deleted'),
    )
  }).close
