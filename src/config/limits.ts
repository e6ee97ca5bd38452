/** Converts the settings of rate limits, load shedding, the response cache and Redis. */
import { isIPv6 } from 'node:net'
import type { KeyLimits } from '../counters/allowances.ts'
import type { CacheSettings, PressureSettings, RateSettings } from '../http/settings.ts'
import { ConfigError } from './error.ts'
import type { Values } from './settings.ts'

export function toRates(values: Values): RateSettings {
  const perAddress = { points: values.RATE_LIMITER_POINTS, seconds: values.RATE_LIMITER_DURATION }
  const altogether = { points: values.RATE_LIMITER_GLOBAL_POINTS, seconds: values.RATE_LIMITER_GLOBAL_DURATION }
  const logins = { points: values.RATE_LIMITER_LOGIN_POINTS, seconds: values.RATE_LIMITER_LOGIN_DURATION }
  const registrations = {
    points: values.RATE_LIMITER_REGISTRATION_POINTS,
    seconds: values.RATE_LIMITER_REGISTRATION_DURATION,
  }
  const mails = { points: values.RATE_LIMITER_EMAIL_POINTS, seconds: values.RATE_LIMITER_EMAIL_DURATION }
  return {
    perAddress: values.RATE_LIMITER_ENABLED ? perAddress : null,
    altogether: values.RATE_LIMITER_GLOBAL_ENABLED ? altogether : null,
    logins: values.RATE_LIMITER_LOGIN_ENABLED ? logins : null,
    registrations: values.RATE_LIMITER_REGISTRATION_ENABLED ? registrations : null,
    mails: values.RATE_LIMITER_EMAIL_ENABLED ? mails : null,
    shared: values.RATE_LIMITER_STORE === 'redis',
  }
}

/** Limits of API keys without limits of their own. */
export const toKeyLimits = (values: Values): KeyLimits => ({
  requests: values.KEY_LIMIT_REQUESTS,
  cost: values.KEY_LIMIT_COST,
  seconds: values.KEY_LIMIT_DURATION,
})

/** Load shedding; null = off. */
export function toPressure(values: Values): PressureSettings | null {
  if (!values.PRESSURE_LIMITER_ENABLED) return null
  return {
    interval: values.PRESSURE_LIMITER_SAMPLE_INTERVAL,
    maxUtilization: values.PRESSURE_LIMITER_MAX_EVENT_LOOP_UTILIZATION,
    maxDelay: values.PRESSURE_LIMITER_MAX_EVENT_LOOP_DELAY,
    maxDatabaseWait: values.PRESSURE_LIMITER_MAX_DATABASE_WAIT,
    maxRss: values.PRESSURE_LIMITER_MAX_MEMORY_RSS,
    maxHeap: values.PRESSURE_LIMITER_MAX_MEMORY_HEAP_USED,
    retryAfter: values.PRESSURE_LIMITER_RETRY_AFTER,
  }
}

/** The tags of the operations of a collection: those of system collections are without a prefix, in version 8 also older. */
function operationsOf(collection: string): readonly string[] {
  const name = collection.replace(/^(?:platform|directus)_/, '')
  return name === 'presets' ? [name, 'collection_presets'] : [name]
}

/** The response cache; null = off. */
export function toCache(values: Values): CacheSettings | null {
  if (!values.CACHE_ENABLED) return null
  return {
    shared: values.CACHE_STORE === 'redis',
    namespace: values.CACHE_NAMESPACE,
    ttl: values.CACHE_TTL,
    autoPurge: values.CACHE_AUTO_PURGE,
    unpurged: values.CACHE_AUTO_PURGE_IGNORE_LIST.flatMap(operationsOf),
    sharedMaxAge: values.CACHE_CONTROL_S_MAXAGE,
    skipAllowed: values.CACHE_SKIP_ALLOWED,
    statusHeader: values.CACHE_STATUS_HEADER?.toLowerCase() ?? null,
    tagHeaders: values.CACHE_TAG_HEADERS,
    maxSize: values.CACHE_VALUE_MAX_SIZE,
  }
}

/** The URL of Redis; null if nothing uses it. On a database without notifications, replicas wake each other by it. */
export function toRedis(values: Values, { notifies }: { readonly notifies: boolean }): string | null {
  const user = ['RATE_LIMITER_STORE', 'CACHE_STORE'].find((name) => values[name as 'CACHE_STORE'] === 'redis')
  if (user === undefined && (notifies || (values.REDIS === null && values.REDIS_HOST === null))) return null
  if (values.REDIS !== null) return values.REDIS
  if (values.REDIS_HOST === null)
    throw new ConfigError('REDIS', `an address (or REDIS_HOST) with ${user}=redis`, 'none')
  const host = isIPv6(values.REDIS_HOST) ? `[${values.REDIS_HOST}]` : values.REDIS_HOST
  const text = `redis://${host}:${values.REDIS_PORT}/${values.REDIS_DB}`
  if (!/^[^\s/?#@]+$/.test(host) || !URL.canParse(text))
    throw new ConfigError('REDIS_HOST', 'a name or an address', JSON.stringify(host.slice(0, 80)))
  const url = new URL(text)
  url.username = values.REDIS_USERNAME ?? ''
  url.password = values.REDIS_PASSWORD ?? ''
  return url.href
}
