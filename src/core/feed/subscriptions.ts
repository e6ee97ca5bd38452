/**
 * Subscriptions to the changes of a project. All subscribers share one listener of the feed, and those with equal rules
 * and queries one judgement per batch of events. Who asks is found anew for each batch, so changed rights count at once.
 */
import { authorizeQuery } from '../../authz/authorize.ts'
import { networkOf } from '../../counters/network.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Feed, FeedEvent, FeedPosition, Seen, Subscription, Subscriptions } from '../../domain/ports/feed.ts'
import type { Access, Actor } from '../../domain/rights/actor.ts'
import { invalidQuery, TandemError } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { judge } from './judge.ts'

type Member = Subscription<Context> & {
  readonly owner: string
  /** Changes up to this place are told. */
  after: number
  /** Whether it has caught up with the listener. */
  isReady: boolean
  /** What its changes are judged by, and what that was made from. */
  key: { readonly text: string; readonly access: Access | null; readonly schema: Schema } | null
}

/** Judgements that run at once: as many connections of the database they may use. */
const atOnce = 4
const mostTries = 4

export type OpenSubscriptions = Subscriptions<Context> & {
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
  const tell = async (notice: readonly Member[], events: readonly FeedEvent[]): Promise<void> => {
    const groups = [...(await grouped(notice, end)).values()]
    const next = async (): Promise<void> => {
      for (let group = groups.pop(); group !== undefined; group = groups.pop()) await tellGroup(group, events, end)
    }
    await Promise.all(Array.from({ length: atOnce }, next))
  }
  const onEvents = async (events: readonly FeedEvent[]): Promise<void> => {
    position = events.at(-1)?.position ?? position
    const collections = new Set(events.map(({ collection }) => collection))
    const reported = [...members].filter(({ isReady, query }) => isReady && collections.has(query.collection))
    await tell(reported, events)
  }
  const enter = (member: Member, feedPosition: FeedPosition): void => {
    members.add(member)
    if (listening !== null) return
    const started = feed.listen(feedPosition, onEvents)
    position = started.after
    listening = started
  }
  /** Tells what was recorded since the place of the member, until it has caught up with the listener. */
  const catchUp = async (member: Member, last: number): Promise<void> => {
    while (members.has(member)) {
      const upTo = Math.max(last, position)
      if (member.after >= upTo) break
      for await (const events of feed.replay({ after: member.after, upTo })) await tell([member], events)
      member.after = upTo
    }
    member.isReady = true
  }

  return {
    async subscribe(subscription) {
      assertPlain(subscription)
      const ctx = await subscription.caller()
      authorizeQuery(ctx, subscription.query)
      const owner = ownerOf(ctx)
      if ([...members].filter((member) => member.owner === owner).length >= perCaller) throw tooMany(ctx, perCaller)
      const place = await feed.place()
      const { from = place.last } = subscription
      const isKept = from >= place.floor && from <= place.last
      const member: Member = { ...subscription, owner, after: isKept ? from : place.last, isReady: false, key: null }
      const { after } = member
      enter(member, place)
      if (!isKept) member.onGap?.()
      await catchUp(member, place.last).catch((error: unknown) => end(member, error))
      return { position: after, stop: () => leave(member) }
    },
    close() {
      const reason = 'The server stops'
      for (const member of Array.from(members))
        end(member, new TandemError({ kind: 'unavailable', service: 'server', reason, retryAfter: 1 }))
    },
  }
}

/** Who has the subscription: the user, or the network of the address. */
const ownerOf = ({ actor, request }: Pick<Context, 'actor' | 'request'>): string =>
  actor.kind === 'user' ? actor.user : `${actor.kind} ${networkOf(request.ip)}`

function tooMany({ clock }: Pick<Context, 'clock'>, limit: number): TandemError {
  const reset = new Date(clock().getTime() + 60_000).toISOString()
  return new TandemError({ kind: 'requests-exceeded', limit, retryAfter: 60, reset })
}

/** Groups and the first row of each are no rows that change. */
function assertPlain({ query }: Pick<Subscription<Context>, 'query'>): void {
  if (query.aggregation !== null) throw invalidQuery('aggregate', 'Expected no aggregates and groups for changes')
  if (query.distinct !== undefined) throw invalidQuery('distinct', 'Expected no "distinct" for changes')
}

type End = (member: Member, error: unknown) => void
type Group = { readonly ctx: Context; readonly members: Member[] }

/** Those who see the same of each change. */
async function grouped(members: readonly Member[], end: End): Promise<ReadonlyMap<string, Group>> {
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

/** Everything that a judgement depends on. It is made anew when rights or schema are others. */
function keyOf(member: Member, ctx: ReadContext): string {
  const { actor, schema, view } = ctx
  const access = actor.kind === 'system' ? null : actor.access
  const existing = member.key
  if (existing !== null && existing.access === access && existing.schema === schema) return existing.text
  const authorized = JSON.stringify(authorizeQuery(ctx, member.query))
  // Values such as the current user make equal rules differ.
  const own = authorized.includes('"kind":"current-') ? JSON.stringify(identityOf(actor)) : ''
  const text = `${view.name}\0${authorized}\0${own}`
  member.key = { text, access, schema }
  return text
}

/** What values of the actor in conditions come from. */
const identityOf = (actor: Actor): unknown =>
  actor.kind === 'user' ? [actor.user, actor.role, actor.roles, actor.access.policies] : [actor.kind]

async function tellGroup({ ctx, members }: Group, events: readonly FeedEvent[], end: End): Promise<void> {
  const [first] = members
  if (first === undefined) return
  try {
    const seen = await judgePatiently(ctx, first, events)
    const last = events.at(-1)?.position ?? 0
    for (const member of members) tellMember(member, seen, last)
  } catch (error) {
    for (const member of members) end(member, error)
  }
}

function tellMember(member: Member, seen: readonly Seen[], last: number): void {
  const fresh = seen.filter(({ position }) => position > member.after)
  if (last > member.after) member.after = last
  member.onSeen(fresh, member.after)
}

/** A database that is away for a moment ends no subscription. */
async function judgePatiently(
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
      await new Promise((resolve) => {
        setTimeout(resolve, attempt * 250)
      })
    }
  }
}
