import { flag, fraction, integer, orFalse, setting, size } from './kinds.ts'

export const pressureSettings = {
  PRESSURE_LIMITER_ENABLED: setting('Respond with 503 while the process or the database is overloaded.', flag, 'true'),
  PRESSURE_LIMITER_SAMPLE_INTERVAL: setting('Milliseconds between two measurements.', integer(10, 60_000), '250'),
  PRESSURE_LIMITER_MAX_EVENT_LOOP_UTILIZATION: setting(
    'Maximum event loop utilization. High utilization alone is no overload.',
    orFalse(fraction),
    'false',
  ),
  PRESSURE_LIMITER_MAX_EVENT_LOOP_DELAY: setting(
    'Maximum mean delay of the event loop, in milliseconds.',
    orFalse(integer(1)),
    '500',
  ),
  PRESSURE_LIMITER_MAX_DATABASE_WAIT: setting(
    'Maximum wait for a database connection, in milliseconds: refuses while the first in the line has waited longer.',
    orFalse(integer(1)),
    '1000',
  ),
  PRESSURE_LIMITER_MAX_MEMORY_RSS: setting('Maximum resident memory of the process.', orFalse(size), 'false'),
  PRESSURE_LIMITER_MAX_MEMORY_HEAP_USED: setting('Maximum used memory of the heap.', orFalse(size), 'false'),
  PRESSURE_LIMITER_RETRY_AFTER: setting('Retry-After of these responses, in seconds.', integer(1, 3600), '1'),
}
