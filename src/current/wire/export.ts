/** `?export=`: lists in another file format. */

import { openExport } from '../../core/items/export-items.ts'
import { refuseQuery } from '../../domain/conditions/literals.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Query } from '../../domain/query/query.ts'
import { extensionOf, type RowFormat, rowFormats } from '../../exchange/formats.ts'
import { attachment, pieces } from '../../http/reply/reply.ts'

/** The requested format; null for none. */
export function readFormat(raw: unknown): RowFormat | null {
  if (raw === undefined || raw === null || raw === '') return null
  if (typeof raw === 'string' && Object.hasOwn(rowFormats, raw)) return raw as RowFormat
  return refuseQuery('export', Object.keys(rowFormats).join(', '), raw)
}

/** Streams the rows as an attachment while they are read. */
export function exportReply(ctx: ReadContext & Pick<Context, 'ids'>, query: Query, format: RowFormat) {
  const { type, produce } = openExport(ctx, query, format)
  const name = ctx.view.byCore.get(query.collection)?.name ?? query.collection
  return attachment(pieces(type, produce), `${name} ${timestamp(ctx.clock())}.${extensionOf(format)}`)
}

/**
 * Formats a time for file names, in UTC.
 * @example timestamp(new Date('2026-01-31T10:00:05Z')) // '20260131-100005'
 */
export const timestamp = (date: Date): string =>
  date.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
