/** Feed cursors: positions in the feed as texts that clients keep. */
import type { Feed, FeedPosition } from '../../domain/ports/feed.ts'

/**
 * The cursor of a position. The time distinguishes it from the same position in the feed of another project, or of a
 * restored database.
 *
 * @example cursorText(17, '2026-03-14T09:26:53.000Z') // '17-mmq4g4lk'
 */
export const cursorText = (position: number, at: string | null): string =>
  at === null ? String(position) : `${position}-${Date.parse(at).toString(36)}`

/** The position of a cursor; null if later changes were deleted, or if the cursor belongs to another feed. */
export async function positionOfCursor(
  feed: Pick<Feed, 'instantAt'>,
  { last, floor }: FeedPosition,
  cursor: string,
): Promise<number | null> {
  const position = Number.parseInt(cursor, 10)
  if (position < floor || position > last) return null
  return cursorText(position, await feed.instantAt(position)) === cursor ? position : null
}
