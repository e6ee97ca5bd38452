/** Gauges: values that are read when the metrics are. */
import { Gauge, Registry } from 'prom-client'
import type { JobState } from '../domain/ports/queue.ts'

/** The sources of the gauges. */
export type MetricSources = {
  readonly version: string
  readonly projects: () => Iterable<ProjectSource>
  readonly queues: { readonly [name: string]: () => JobState }
}

export type ProjectSource = {
  readonly key: string
  readonly pool: () => { readonly total: number; readonly idle: number; readonly waiting: number }
  /** Resolves if the database answers. */
  readonly ping: () => Promise<void>
  readonly sessions: () => Promise<number>
  readonly feed: () => Promise<FeedState>
}

/** How far behind the feed of changes and the deliveries to webhooks are. */
export type FeedState = {
  readonly unplaced: number
  readonly unread: number
  readonly pending: number
  readonly dead: number
  /** Seconds. */
  readonly oldest: number
}

/** Milliseconds that the result of a gauge's statement is kept, so that scrapes cannot cause more statements. */
const readAge = 15_000

export function addGauges(registry: Registry, sources: MetricSources): void {
  registry.registerMetric(connectionsGauge(sources))
  registry.registerMetric(jobsGauge(sources))
  registry.registerMetric(databaseGauge(sources))
  registry.registerMetric(sessionsGauge(sources))
}

const connectionsGauge = ({ projects }: Pick<MetricSources, 'projects'>) =>
  new Gauge({
    name: 'tandem_database_connections',
    help: 'Connections of the pool by state, and callers that wait for one.',
    labelNames: ['project', 'state'],
    registers: [],
    collect() {
      this.reset()
      for (const { key, pool } of projects()) {
        const { total, idle, waiting } = pool()
        this.set({ project: key, state: 'busy' }, total - idle)
        this.set({ project: key, state: 'idle' }, idle)
        this.set({ project: key, state: 'waiting' }, waiting)
      }
    },
  })

const jobsGauge = ({ queues }: Pick<MetricSources, 'queues'>) =>
  new Gauge({
    name: 'tandem_queue_jobs',
    help: 'Jobs of the queues of images and of hashing.',
    labelNames: ['queue', 'state'],
    registers: [],
    collect() {
      for (const [queue, state] of Object.entries(queues)) {
        const { running, waiting } = state()
        this.set({ queue, state: 'running' }, running)
        this.set({ queue, state: 'waiting' }, waiting)
      }
    },
  })

const databaseGauge = ({ projects }: Pick<MetricSources, 'projects'>) =>
  new Gauge({
    name: 'tandem_database_up',
    help: 'Whether the database of the project answers: 1 or 0.',
    labelNames: ['project'],
    registers: [],
    async collect() {
      const pings = [...projects()].map(async ({ key, ping }) => [key, await inTime(ping().then(() => true))] as const)
      this.reset()
      for (const [project, isUp] of await Promise.all(pings)) this.set({ project }, isUp === true ? 1 : 0)
    },
  })

function sessionsGauge({ projects }: Pick<MetricSources, 'projects'>) {
  const sessions = throttled(({ sessions: count }) => count())
  return new Gauge({
    name: 'tandem_sessions',
    help: 'Sessions that have not ended; a project whose database does not answer is left out.',
    labelNames: ['project'],
    registers: [],
    async collect() {
      const counts = await Promise.all([...projects()].map(async (each) => [each.key, await sessions(each)] as const))
      this.reset()
      for (const [project, count] of counts) if (count !== null) this.set({ project }, count)
    },
  })
}

/** The names of the gauges of the feed, and what they show. */
const feedGauges = [
  ['tandem_feed_unplaced_events', 'Recorded changes without a place in the feed.', 'unplaced'],
  ['tandem_webhook_unread_events', 'Changes that deliveries to webhooks have not been made from.', 'unread'],
  ['tandem_webhook_pending_deliveries', 'Deliveries to webhooks that wait.', 'pending'],
  ['tandem_webhook_dead_deliveries', 'Deliveries to webhooks that were given up and are kept.', 'dead'],
  ['tandem_webhook_lag_seconds', 'Age of the oldest delivery to a webhook that waits.', 'oldest'],
] as const

export function addFeedGauges(registry: Registry, { projects }: Pick<MetricSources, 'projects'>): void {
  const state = throttled(({ feed }) => feed())
  for (const [name, help, part] of feedGauges) {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['project'],
      registers: [],
      async collect() {
        const states = await Promise.all([...projects()].map(async (each) => [each.key, await state(each)] as const))
        this.reset()
        for (const [project, state] of states) if (state !== null) this.set({ project }, state[part])
      },
    })
    registry.registerMetric(gauge)
  }
}

/** Milliseconds that a database has for its answer, so that a silent one holds no metrics of others. */
const timeout = 1_000

/** The reading, or null if the database does not answer in time. */
const inTime = <Value>(reading: Promise<Value>): Promise<Value | null> => {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, timeout, null)
  return Promise.race([reading.catch(() => null), late]).finally(() => clearTimeout(timer))
}

/** Caches a reading for `readAge`; null if the database does not answer in time. */
function throttled<Value>(
  read: (project: ProjectSource) => Promise<Value>,
): (project: ProjectSource) => Promise<Value | null> {
  const cache = new Map<string, { readonly at: number; readonly value: Promise<Value | null> }>()
  return (project) => {
    const cached = cache.get(project.key)
    const now = performance.now()
    if (cached !== undefined && now - cached.at < readAge) return cached.value
    const value = inTime(read(project))
    cache.set(project.key, { at: now, value })
    return value
  }
}
