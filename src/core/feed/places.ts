/** Places in the feed as clients keep them. */
import type { Feed, FeedPosition } from '../../domain/ports/feed.ts'

/**
 * The text of a place. The time tells it from the same position in the feed of another project, or of a database that was
 * restored.
 *
 * @example placeText(17, '2026-03-14T09:26:53.000Z') // '17-mmq4g4lk'
 */
export const placeText = (position: number, at: string | null): string =>
  at === null ? String(position) : `${position}-${Date.parse(at).toString(36)}`

/** The position of a place; null if changes after it are not kept, or if it is a place of another feed. */
export async function knownPosition(
  feed: Pick<Feed, 'instantAt'>,
  { last, floor }: FeedPosition,
  place: string,
): Promise<number | null> {
  const position = Number.parseInt(place, 10)
  if (position < floor || position > last) return null
  return placeText(position, await feed.instantAt(position)) === place ? position : null
}
