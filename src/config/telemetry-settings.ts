/** The settings about metrics, traces and slow statements. */
import { flag, integer, optional, orFalse, secret, setting, text, timeout } from './kinds.ts'
import { tokenText } from './kinds-network.ts'

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
