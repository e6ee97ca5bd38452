/** Gauges: values that are read when the metrics are. */
import { Gauge, type Registry } from 'prom-client'
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
  addConnections(registry, sources)
  addJobs(registry, sources)
  const add = (name: string, help: string, read: Reading<number>): void =>
    addOfProjects(registry, sources, { name, help, read })
  add('tandem_database_up', 'Whether the database of the project answers: 1 or 0.', upOf)
  const sessions = throttled((project) => project.sessions())
  add(
    'tandem_sessions',
    'Sessions that have not ended; a project whose database does not answer is left out.',
    sessions,
  )
  const feed = throttled((project) => project.feed())
  for (const [name, help, part] of feedGauges) add(name, help, async (project) => (await feed(project))?.[part] ?? null)
}

const upOf = async ({ ping }: ProjectSource): Promise<number> =>
  (await inTime(ping().then(() => true))) === true ? 1 : 0

function addConnections(registry: Registry, { projects }: MetricSources): void {
  registry.registerMetric(
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
    }),
  )
}

function addJobs(registry: Registry, { queues }: MetricSources): void {
  registry.registerMetric(
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
    }),
  )
}

/** The value of a project; null where there is none. */
type Reading<Value> = (project: ProjectSource) => Promise<Value | null>

type ProjectGauge = { readonly name: string; readonly help: string; readonly read: Reading<number> }

/** A gauge with a value of each project. */
function addOfProjects(registry: Registry, { projects }: MetricSources, { name, help, read }: ProjectGauge): void {
  registry.registerMetric(
    new Gauge({
      name,
      help,
      labelNames: ['project'],
      registers: [],
      async collect() {
        const values = await Promise.all([...projects()].map(async (each) => [each.key, await read(each)] as const))
        this.reset()
        for (const [project, value] of values) if (value !== null) this.set({ project }, value)
      },
    }),
  )
}

/** The names of the gauges of the feed, and what they show. */
const feedGauges = [
  ['tandem_feed_unplaced_events', 'Recorded changes without a place in the feed.', 'unplaced'],
  ['tandem_webhook_unread_events', 'Changes that deliveries to webhooks have not been made from.', 'unread'],
  ['tandem_webhook_pending_deliveries', 'Deliveries to webhooks that wait.', 'pending'],
  ['tandem_webhook_dead_deliveries', 'Deliveries to webhooks that were given up and are kept.', 'dead'],
  ['tandem_webhook_lag_seconds', 'Age of the oldest delivery to a webhook that waits.', 'oldest'],
] as const

/** Milliseconds that a database has for its answer, so that a silent one holds no metrics of others. */
const timeout = 1_000

/** The reading, or null if the database does not answer in time. */
const inTime = <Value>(reading: Promise<Value>): Promise<Value | null> => {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, timeout, null)
  return Promise.race([reading.catch(() => null), late]).finally(() => clearTimeout(timer))
}

/** Caches a reading for `readAge`; null if the database does not answer in time. */
function throttled<Value>(read: (project: ProjectSource) => Promise<Value>): Reading<Value> {
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
