/** Answers of writes: what was written, as far as the caller may read it. */

import { type Received, settled } from '../../core/batch/received.ts'
import { writeItems } from '../../core/items/items.ts'
import { hasRelated } from '../../core/related/write-run.ts'
import { assertReadBack, readBack } from '../../core/rows/read-items.ts'
import { writeThenRead } from '../../core/rows/transaction.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { jsonOf, type ReadResult } from '../../domain/ports/row-store.ts'
import type { Key } from '../../domain/query/key.ts'
import { type Mutation, namedItems } from '../../domain/query/mutation.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Once } from '../../http/app/handlers.ts'
import { ignoredFields } from '../../http/reply/ignored-fields.ts'
import { empty, jsonText, withHeaders } from '../../http/reply/reply.ts'
import type { OpenedCollection } from '../wire/collections.ts'
import type { QueryInput } from '../wire/level.ts'
import { parseQuery } from '../wire/query.ts'
import { serializeFirst, serializeList } from '../wire/serialize.ts'

type Writer = typeof writeItems

/**
 * `writer` creates the items and what belongs to them. `shown` post-processes the JSON text of a list. `upserts`: whether a
 * create may name the fields by which an item is there.
 */
export type Family = { readonly writer?: Writer; readonly shown?: ToShownList | undefined; readonly upserts?: boolean }

type ToShownList = (list: string, ctx: Context, query: Query) => Promise<string>

export async function answerRows(ctx: Context, result: ReadResult, query: Query, shown: ToShownList | undefined) {
  const pieces = shown === undefined ? result.pieces : [await shown(jsonOf(result), ctx, query)]
  return jsonText(serializeList({ ...result, pieces }))
}

type AnswerOptions = {
  readonly opened: OpenedCollection
  readonly query: QueryInput
  readonly shape: 'one' | 'list'
  /** Whether the work is a transaction of several statements. */
  readonly isLong?: boolean
  /** Number of items that are written, as far as the request tells; by default 1. */
  readonly items?: number
} & Family

export const write = (ctx: Context, answer: AnswerOptions, mutation: Mutation) =>
  answerWritten(ctx, { ...answer, isLong: hasRelated(mutation), items: namedItems(mutation) }, (inner) =>
    (answer.writer ?? writeItems)(inner, mutation),
  )

/**
 * Runs a write and answers with the result, as far as the caller may read it. Checks the requested fields first.
 * Without a shape, one item is answered as an object and several as a list.
 */
export async function answerWritten(
  ctx: Context,
  { opened, query, shape, shown, isLong = false, items = 1 }: Omit<AnswerOptions, 'shape'> & Partial<AnswerOptions>,
  work: (inner: Context) => Promise<readonly Key[]>,
) {
  const { scope } = opened
  const wanted = readBackOf(ctx, { opened, query, items })
  const { keys, result } = await writeThenRead(ctx, {
    isLong,
    write: work,
    read: async (reader, written) => ({
      keys: written,
      result: wanted === null ? null : await readBack(reader, written, wanted),
    }),
  })
  const headers = ignoredFields(scope.ignored ?? new Set())
  if (shape === 'list' && keys.length === 0) return { ...jsonText('{"data":[]}'), headers }
  if (wanted === null || result === null) return { ...empty(), headers }
  const isOne = (shape ?? (keys.length === 1 ? 'one' : 'list')) === 'one'
  const reply = isOne ? jsonText(serializeFirst(result)) : await answerRows(ctx, result, wanted, shown)
  return { ...reply, headers }
}

/** The query for the answer; null if the caller may read nothing. */
function readBackOf(
  ctx: ReadContext,
  { opened: { collection, readable }, query, items = 1 }: Pick<AnswerOptions, 'opened' | 'query' | 'items'>,
) {
  const wanted = readable === null ? null : parseQuery(query, collection.name, readable)
  if (wanted !== null) assertReadBack(ctx, wanted, items)
  return wanted
}

/** As `answerWritten`, for contents that are received first. `late` takes names of values that belong to nothing. */
export async function answerReceived(
  ctx: Context,
  { once, ...answer }: Pick<AnswerOptions, 'opened' | 'query'> & { readonly once: Once },
  receive: (late: Set<string>) => Promise<Received>,
) {
  readBackOf(ctx, answer)
  const late = new Set<string>()
  return settled(await receive(late), (write) =>
    once(ctx, async (inner) =>
      withHeaders(
        await answerWritten(inner, { ...answer, isLong: true }, write),
        ignoredFields(new Set([...(answer.opened.scope.ignored ?? []), ...late])),
      ),
    ),
  )
}
