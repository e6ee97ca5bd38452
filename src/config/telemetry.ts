import type { TelemetrySettings } from '../telemetry/settings.ts'
import { ConfigError } from './error.ts'
import type { Values } from './settings.ts'

/** The settings of telemetry; null = everything is off. */
export function toTelemetry(values: Values): TelemetrySettings | null {
  const { METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token, SLOW_STATEMENTS: slow } = values
  if (values.TRACING_SQL_COMMENTS && !values.TRACING_ENABLED)
    throw new ConfigError('TRACING_SQL_COMMENTS', 'TRACING_ENABLED=true beside it', 'false')
  if (values.SLOW_STATEMENT_PLANS && slow === null)
    throw new ConfigError('SLOW_STATEMENT_PLANS', 'SLOW_STATEMENTS beside it', 'false')
  const metrics = port === null && token === null ? null : { listen: port === null ? null : { host, port }, token }
  const traces = values.TRACING_ENABLED ? { comments: values.TRACING_SQL_COMMENTS } : null
  if (metrics === null && traces === null && slow === null) return null
  return { metrics, traces, slow, plans: values.SLOW_STATEMENT_PLANS }
}
