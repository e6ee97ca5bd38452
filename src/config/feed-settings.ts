/** The settings of changes that are told to listeners. */
import { durationWithin, integer, setting } from './kinds.ts'

export const feedSettings = {
  EVENTS_RETENTION: setting(
    'How long changes are kept for listeners that come back, and how long they are recorded after the last listener has left.',
    durationWithin('1m', '30d'),
    '1h',
  ),
  EVENTS_MAX: setting(
    'Number of changes that are kept for listeners that come back.',
    integer(100, 10_000_000),
    '100000',
  ),
}
