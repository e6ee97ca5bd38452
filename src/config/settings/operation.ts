/** The settings about overload, metrics, traces and the count of used operations. */
import { age, flag, fraction, integer, optional, orFalse, secret, setting, size, text, timeout } from '../kinds.ts'
import { tokenText } from '../kinds-network.ts'

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

export const telemetrySettings = {
  METRICS_PORT: optional(
    'Port of a server of its own with /metrics for Prometheus; 0 = any free port.',
    integer(0, 65_535),
  ),
  METRICS_HOST: setting('Address that it listens on.', text, '127.0.0.1'),
  METRICS_TOKEN: secret(
    'Bearer token for /metrics (at least 16 characters). Without METRICS_PORT, the main server answers with it.',
    tokenText(16),
  ),
  TRACING_ENABLED: setting(
    'Tell OpenTelemetry of requests and statements. The SDK is registered by the operator, or started with OTEL_* variables if @opentelemetry/sdk-node is installed.',
    flag,
    'false',
  ),
  TRACING_SQL_COMMENTS: setting(
    'Name the trace in a comment of each statement; statements are then not prepared.',
    flag,
    'false',
  ),
  SLOW_STATEMENTS: setting(
    'Log statements that take at least so long, with their task and without values.',
    orFalse(timeout),
    'false',
  ),
  SLOW_STATEMENT_PLANS: setting(
    'Log the plans of slow reads, too, one at a time. The database explains them without running them again; plans hold values of filters.',
    flag,
    'false',
  ),
}

export const usageSettings = {
  USAGE_ENABLED: setting(
    'Count which client (header X-Client, or the API key, or the user agent) calls which operations and uses which fields; no values, no users.',
    flag,
    'true',
  ),
  USAGE_RETENTION: setting('How long uses are kept after their last call.', age, '180d'),
}
