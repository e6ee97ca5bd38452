/**
 * Subscriptions to the changes of a project. All subscribers share one listener of the feed, and those with equal rules
 * and queries one judgement per batch of events. The caller is read again for each batch, so that changed rights take effect at once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { authorizeQuery } from '../../authz/authorize.ts'
import { networkOf } from '../../counters/network.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Feed, FeedEvent, FeedPosition, Seen, Subscription, Subscriptions } from '../../domain/ports/feed.ts'
import type { Access, Actor } from '../../domain/rights/actor.ts'
import { invalidQuery, TandemError } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { createRecheck } from '../recheck.ts'
import { inParallel } from '../recurring.ts'
import { cursorText, positionOfCursor } from './cursors.ts'
import { judge, keyRows } from './judge.ts'

type Member = Subscription<Context> & {
  readonly owner: string
  /** The position up to which changes were delivered. */
  after: number
  /** The same as text. */
  cursor: string
  /** Whether it has caught up with the listener. */
  isReady: boolean
  /** The key of its group, and the rights and the schema from which the key was computed. */
  key: { readonly text: string; readonly access: Access | null; readonly schema: Schema } | null
}

/** Maximum number of concurrent judgements; each uses one connection of the database. */
const atOnce = 4
const mostTries = 4

export type OpenSubscriptions = Subscriptions<Context> & {
  /** Rights, sessions or users have changed. */
  readonly recheck: () => void
  /** Ends all subscriptions, because the server stops. */
  readonly close: () => void
}

/** Listens to the feed as long as there are subscriptions. `perCaller`: subscriptions of one user, or of one address. */
export function createSubscriptions(feed: Feed, { perCaller }: { readonly perCaller: number }): OpenSubscriptions {
  const members = new Set<Member>()
  let listening: { readonly stop: () => void } | null = null
  let position = 0

  const leave = (member: Member): void => {
    members.delete(member)
    if (members.size > 0) return
    listening?.stop()
    listening = null
  }
  const end = (member: Member, error: unknown): void => {
    if (!members.has(member)) return
    leave(member)
    member.onEnd(error)
  }
  const deliver = async (recipients: readonly Member[], events: readonly FeedEvent[]): Promise<void> => {
    const groups = await grouped(recipients, end)
    await inParallel(groups.values(), atOnce, (group) => deliverToGroup(group, events, end))
  }
  const onEvents = async (events: readonly FeedEvent[]): Promise<void> => {
    position = events.at(-1)?.position ?? position
    const collections = new Set(events.map(({ collection }) => collection))
    const reported = [...members].filter(({ isReady, query }) => isReady && collections.has(query.collection))
    await deliver(reported, events)
  }
  const enter = (member: Member, feedPosition: FeedPosition): void => {
    members.add(member)
    if (listening !== null) return
    const started = feed.listen(feedPosition, onEvents)
    position = started.after
    listening = started
  }
  /** Delivers the events recorded after the position of the member, until it has caught up with the listener. */
  const catchUp = async (member: Member, last: number): Promise<void> => {
    while (members.has(member)) {
      const upTo = Math.max(last, position)
      if (member.after >= upTo) break
      for await (const events of feed.replay({ after: member.after, upTo })) await deliver([member], events)
      member.after = upTo
    }
    member.isReady = true
  }

  return {
    recheck: createRecheck(() => [...members].filter(isChecked)),
    async subscribe(subscription) {
      assertPlain(subscription)
      const ctx = await subscription.caller()
      authorizeQuery(ctx, subscription.query)
      const owner = ownerOf(ctx)
      if ([...members].filter((member) => member.owner === owner).length >= perCaller) throw tooMany(ctx, perCaller)
      const bounds = await feed.position()
      const { from } = subscription
      const after = from === undefined ? bounds.last : await positionOfCursor(feed, bounds, from)
      const isKept = after !== null
      const begin = after ?? bounds.last
      const start = cursorText(begin, await feed.instantAt(begin))
      const member: Member = { ...subscription, owner, after: begin, cursor: start, isReady: false, key: null }
      enter(member, bounds)
      if (!isKept) member.onGap?.()
      await catchUp(member, bounds.last).catch((error: unknown) => end(member, error))
      return { cursor: start, stop: () => leave(member) }
    },
    close() {
      const reason = 'The server stops'
      for (const member of Array.from(members))
        end(member, new TandemError({ kind: 'unavailable', service: 'server', reason, retryAfter: 1 }))
    },
  }
}

const isChecked = (member: Member): member is Member & { readonly check: () => Promise<void> } =>
  member.check !== undefined

/** The owner of a subscription: the user, or the network of the address. */
const ownerOf = ({ actor, request }: Pick<Context, 'actor' | 'request'>): string =>
  actor.kind === 'user' ? actor.user : `${actor.kind} ${networkOf(request.ip)}`

function tooMany({ clock }: Pick<Context, 'clock'>, limit: number): TandemError {
  const reset = new Date(clock().getTime() + 60_000).toISOString()
  return new TandemError({ kind: 'requests-exceeded', limit, retryAfter: 60, reset })
}

/** Refuses aggregates, groups and `distinct`: their results are not rows that change. */
function assertPlain({ query }: Pick<Subscription<Context>, 'query'>): void {
  if (query.aggregation !== null) throw invalidQuery('aggregate', 'Expected no aggregates and groups for changes')
  if (query.distinct !== undefined) throw invalidQuery('distinct', 'Expected no "distinct" for changes')
}

type EndMember = (member: Member, error: unknown) => void
type Group = { readonly ctx: Context; readonly members: Member[] }

/** Members with equal rights and queries, which see the same of each change. */
async function grouped(members: readonly Member[], end: EndMember): Promise<ReadonlyMap<string, Group>> {
  const groups = new Map<string, Group>()
  for (const member of members) {
    try {
      const { asker: _asker, stopwatch: _stopwatch, ...ctx } = await member.caller()
      const key = keyOf(member, ctx)
      const group = groups.get(key)
      if (group === undefined) groups.set(key, { ctx, members: [member] })
      else group.members.push(member)
    } catch (error) {
      end(member, error)
    }
  }
  return groups
}

/** Everything that a judgement depends on, as text; computed again when the rights or the schema have changed. */
function keyOf(member: Member, ctx: ReadContext): string {
  const { actor, schema, view } = ctx
  const access = actor.kind === 'system' ? null : actor.access
  const existing = member.key
  if (existing !== null && existing.access === access && existing.schema === schema) return existing.text
  const authorized = JSON.stringify([authorizeQuery(ctx, member.query), keyRows(ctx, member.query.collection)])
  // Values such as the current user make equal rules differ.
  const own = authorized.includes('"kind":"current-') ? JSON.stringify(identityOf(actor)) : ''
  const text = `${view.name}\0${authorized}\0${own}`
  member.key = { text, access, schema }
  return text
}

/** The properties of the actor that values in conditions refer to. */
const identityOf = (actor: Actor): unknown =>
  actor.kind === 'user' ? [actor.user, actor.role, actor.roles, actor.access.policies] : [actor.kind]

async function deliverToGroup({ ctx, members }: Group, events: readonly FeedEvent[], end: EndMember): Promise<void> {
  const [first] = members
  if (first === undefined) return
  try {
    const seen = await judgeWithRetries(ctx, first, events)
    for (const member of members) deliverToMember(member, seen, events.at(-1))
  } catch (error) {
    for (const member of members) end(member, error)
  }
}

function deliverToMember(member: Member, seen: readonly Seen[], last: FeedEvent | undefined): void {
  const fresh = seen.filter(({ position }) => position > member.after)
  if (last !== undefined && last.position > member.after) {
    member.after = last.position
    member.cursor = cursorText(last.position, last.at)
  }
  member.onSeen(fresh, member.cursor)
}

/** Retries while the database is unavailable, so that a short outage ends no subscription. */
async function judgeWithRetries(
  ctx: ReadContext,
  { query }: Member,
  events: readonly FeedEvent[],
): Promise<readonly Seen[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await judge(ctx, query, events)
    } catch (error) {
      const isPassing = error instanceof TandemError && error.failures[0].kind === 'unavailable'
      if (!isPassing || attempt === mostTries) throw error
      await sleep(attempt * 250)
    }
  }
}
