/** Rows of files whose contents are stored: written in one transaction, so that rows and objects are consistent. */

import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import { type Change, type Changes, toChanges } from '../../domain/query/mutation.ts'
import type { Received } from '../batch/received.ts'
import { filesCollection } from '../guards/guard-files.ts'
import { abandon, claimObject, keeperOf } from '../objects/stored-objects.ts'
import { createRelated, updateRelated } from '../related/write-related.ts'
import { systemCollection } from '../rows/keys.ts'
import { withTransaction } from '../rows/transaction.ts'
import type { Draft } from '../rows/write-batch.ts'
import { openLog } from '../rows/write-log.ts'
import type { StoredContents } from './file-contents.ts'
import { asUploader, without } from './file-rights.ts'

/** A file to write: a new one, or new contents of the file `replaces`. */
export type StoredDraft = {
  readonly id: string
  readonly replaces?: boolean
  readonly changes: Changes
  readonly contents: StoredContents
}

/** What runs in the transaction before and after the rows are written. */
export type TransactionSteps = { readonly [When in 'before' | 'also']?: (inner: Context) => Promise<void> }

/** Stored contents whose rows are written in one transaction. */
export function receivedOf(
  ctx: Pick<Context, 'db' | 'log' | 'storage'>,
  waiting: readonly StoredDraft[],
  beside: TransactionSteps = {},
): Received {
  const addresses = waiting.map(({ contents }) => contents.address)
  return {
    write: (writer) => writeStored(writer, waiting, beside),
    end: async (isWritten) => (isWritten ? undefined : abandon(keeperOf(ctx), addresses)),
  }
}

const writeStored = (
  ctx: Context,
  waiting: readonly StoredDraft[],
  { before = async () => {}, also = async () => {} }: TransactionSteps,
): Promise<readonly Key[]> =>
  withTransaction(ctx, async (inner) => {
    await before(inner)
    const keys: Key[] = []
    for (const each of waiting) {
      // Both go to the database in one message.
      const claimed = claimObject(inner.db, each.contents.address)
      const [key] = await Promise.all([
        each.replaces === true ? updateRow(inner, each) : createRow(inner, each),
        claimed,
      ])
      keys.push(key)
    }
    await also(inner)
    return keys
  })

export async function createRow(ctx: Context, { id, changes, contents }: StoredDraft): Promise<Key> {
  const input = { id, private_hash: toHash(ctx.ids.uuid()) }
  const fill = new Map([...toChanges(input), ...contents.defaults])
  const draft: Draft = { changes: withFacts(without(changes, 'storage'), contents.facts), path: '', fill }
  const [key] = await createRelated(asUploader(ctx, 'create', contents.facts), systemCollection(ctx, filesCollection), {
    drafts: [draft],
    log: openLog(),
  })
  return key as Key
}

/** Facts that a caller may give where the contents do not have them. */
const optional: ReadonlySet<string> = new Set(['charset', 'metadata'])

/** A time that only the system may give: of contents that were uploaded to another server. */
const uploadTime = 'uploaded_on'

function withFacts(changes: Changes, facts: Changes): Changes {
  const isGiven = (name: string, fact: Change): boolean =>
    changes.has(name) && (name === uploadTime || (optional.has(name) && fact.kind === 'value' && fact.value === null))
  return new Map([...changes, ...[...facts].filter(([name, fact]) => !isGiven(name, fact))])
}

/** A private hash: 16 characters with 82 random bits of a uuid. */
const toHash = (uuid: string): string =>
  BigInt(`0x${uuid.replaceAll('-', '')}`)
    .toString(36)
    .slice(-16)

async function updateRow(ctx: Context, { id, changes, contents }: StoredDraft): Promise<Key> {
  const all = withFacts(changes, contents.facts)
  await updateRelated(asUploader(ctx, 'update', contents.facts), systemCollection(ctx, filesCollection), {
    drafts: [{ key: id, changes: all, path: '' }],
    log: openLog(),
  })
  return id
}
