/** Limits and caches around the handlers of a project: rates, load, cached answers, and Redis for both. */
import type { AnswerCache } from './cache/answers.ts'
import type { OpenRedis } from './cache/redis.ts'
import type { Config } from './config/sections.ts'
import { createAttempts } from './core/accounts/attempts.ts'
import { type Allowances, createAllowances } from './counters/allowances.ts'
import { type Counter, createCounter, createMeter } from './counters/counter.ts'
import type { Attempts, Log } from './domain/ports/context.ts'
import type { ServerFacts } from './domain/ports/server-facts.ts'
import type { Telemetry } from './domain/ports/telemetry.ts'
import { type Admission, createAdmission, type Pressure } from './http/app/admission.ts'
import type { ResponseCache } from './http/app/response-cache.ts'
import type { Rate, RateSettings } from './http/settings.ts'

export type LimitsAndCaches = {
  readonly admission: Admission | null
  /** Limits per API key. */
  readonly allowances: Allowances
  readonly attempts: Attempts
  readonly responseCache: ResponseCache | null
  readonly rates: ServerFacts['rates']
  readonly purgeAnswers: () => Promise<void>
  /** Absent = there is no Redis. */
  readonly pingRedis?: () => Promise<void>
  readonly close: () => void
}

type LimitSettings = Pick<Config, 'rates' | 'keyLimits' | 'cache' | 'redis'>

type ProjectDependencies = {
  /** Key of the project; part of every name in Redis. */
  readonly project: string
  readonly log: Log
  /** The load of the process and of the project's database; null = not limited. */
  readonly pressure: Pick<Pressure, 'assertRoom'> | null
  readonly telemetry: Pick<Telemetry, 'cached'> | null
}

/** Opens what the configuration asks for; with none of it, requests pass at no cost. */
export async function openLimitsAndCaches(
  config: LimitSettings,
  { project, log, pressure, telemetry }: ProjectDependencies,
): Promise<LimitsAndCaches> {
  const redis = config.redis === null ? null : await (await import('./cache/redis.ts')).openRedis(config.redis, log)
  const { rates } = config
  const named = (name: string): string => (project === '_' ? name : `${project}:${name}`)
  const counter = createCounters(rates, redis, named)
  const admission = createAdmission({
    pressure,
    perAddress: counter('address', rates.perAddress),
    altogether: counter('all', rates.altogether),
  })
  const cache = await openCache(config, redis, { log, named })
  return {
    admission,
    allowances: openAllowances(config, redis, named),
    attempts: openAttempts(rates, counter),
    responseCache:
      cache === null || config.cache === null
        ? null
        : { cache, settings: config.cache, counted: (isHit) => telemetry?.cached(project, isHit) },
    rates: { perAddress: toFacts(rates.perAddress), altogether: toFacts(rates.altogether) },
    purgeAnswers: async () => cache?.purge(),
    ...(redis === null ? {} : { pingRedis: async () => void (await redis.client.ping()) }),
    close: () => {
      redis?.close()
    },
  }
}

function openAllowances({ keyLimits, rates }: LimitSettings, redis: OpenRedis | null, named: CounterName): Allowances {
  const meter = (name: string) => {
    const store = rates.shared && redis !== null ? redis.client : null
    return createMeter({ name: named(name), seconds: keyLimits.seconds, redis: store })
  }
  return createAllowances(keyLimits, { requests: meter('key-requests'), cost: meter('key-cost') })
}

type CreateCounter = (name: string, rate: Rate | null) => Counter | null

const createCounters =
  ({ shared }: RateSettings, redis: OpenRedis | null, named: CounterName): CreateCounter =>
  (name, rate) => {
    if (rate === null) return null
    return createCounter({ name: named(name), ...rate, redis: shared && redis !== null ? redis.client : null })
  }

/** Names in Redis, which several projects may share. */
type CounterName = (name: string) => string

function openAttempts({ logins, registrations, mails }: RateSettings, counter: CreateCounter): Attempts {
  const login = {
    perAccount: counter('attempts-account', logins),
    perAddress: counter('attempts-address', times(logins, 10)),
  }
  const mail = { perAccount: counter('mails-account', mails), perAddress: counter('mails-sender', times(mails, 100)) }
  const registration = { ...mail, perAddress: counter('registrations', registrations) }
  const counters = {
    login,
    share: login,
    // Nothing is guessed of an account before its provider has answered.
    'provider-login': { perAccount: null, perAddress: login.perAddress },
    registration,
    'password-reset': mail,
    invitation: mail,
    'share-invitation': mail,
    letter: mail,
  }
  return createAttempts((action) => counters[action])
}

const times = (rate: Rate | null, factor: number): Rate | null =>
  rate === null ? null : { ...rate, points: rate.points * factor }

async function openCache(
  { cache }: LimitSettings,
  redis: OpenRedis | null,
  { log, named }: { readonly log: Log; readonly named: CounterName },
): Promise<AnswerCache | null> {
  if (cache === null) return null
  const { createAnswerCache } = await import('./cache/answers.ts')
  const { namespace, ttl, shared } = cache
  return createAnswerCache({ namespace: named(namespace), ttl, redis: shared ? redis : null, log })
}

const toFacts = (rate: Rate | null): { points: number; duration: number } | false =>
  rate === null ? false : { points: rate.points, duration: rate.seconds }
