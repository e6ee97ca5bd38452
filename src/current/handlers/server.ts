/** `/server`: information about the server. */
import { setImmediate as turn } from 'node:timers/promises'
import { isUnlimited } from '../../authz/grants.ts'
import { isSetUp, setUp } from '../../core/server/bootstrap.ts'
import { checkHealth, checkReadiness, type Health, readPublicSettings } from '../../core/server/server.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { CurrentServerOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { attachment, empty, json, jsonText, type Pieces, text } from '../../http/reply/reply.ts'
import { specialisedEvents } from '../views/specialised-events.ts'
import { isLongSpec, specialisedPieces, specialisedSpec } from '../views/specialised-spec.ts'

/** A long document is written while it is made, in turns with other requests. */
const inTurns = (type: string, parts: () => Iterable<string>): Pieces => ({
  kind: 'pieces',
  type,
  async produce(write) {
    for (const part of parts()) {
      await write(part)
      await turn()
    }
  },
})

export const server = {
  async pingServer() {
    return text('pong')
  },

  async readServerInfo(ctx) {
    const project = await readPublicSettings(ctx)
    const version = isUnlimited(ctx.actor) ? { version: ctx.server.compatibleVersion, tandem: ctx.server.version } : {}
    const everybodys = { project, setupCompleted: await isSetUp(ctx) }
    if (ctx.actor.kind !== 'user') return json({ data: everybodys })
    return json({ data: { ...everybodys, ...features(ctx), ...version } })
  },

  async createFirstAdministrator(ctx, { body }) {
    const { email, password, first_name: firstName = null, last_name: lastName = null } = body
    await setUp(ctx, { email, password, firstName, lastName })
    return empty()
  },

  async readServerHealth(ctx) {
    const health = await checkHealth(ctx)
    const { status } = health
    const value = isUnlimited(ctx.actor) ? { status, ...details(ctx, health) } : { status }
    const body = { kind: 'json', value, type: 'application/health+json; charset=utf-8' } as const
    return status === 'error' ? { status: 503, body } : { status: 200, body }
  },

  async readServerReadiness(ctx) {
    const { status } = await checkReadiness(ctx)
    const body = { kind: 'json', value: { status }, type: 'application/health+json; charset=utf-8' } as const
    return status === 'error' ? { status: 503, body } : { status: 200, body }
  },

  async readOpenApiSpec(ctx, { query: { openapi: version = '3.1' } }) {
    if (!isLongSpec(ctx)) return jsonText(specialisedSpec(ctx, version))
    const body = inTurns('application/json; charset=utf-8', () => specialisedPieces(ctx, version))
    return { status: 200, body }
  },

  async readAsyncApiSpec(ctx) {
    return jsonText(specialisedEvents(ctx))
  },

  async readGraphqlSpec(ctx) {
    return sdlFile(ctx, 'items')
  },

  async readScopedGraphqlSpec(ctx, { path }) {
    return sdlFile(ctx, path.scope)
  },
} satisfies Handlers<CurrentServerOperations>

/** Clients of the platform expect a file to save. */
async function sdlFile(ctx: ReadContext & Pick<Context, 'server'>, scope: 'items' | 'system') {
  const { printedSchemaOf } = await import('../views/graphql-schemas.ts')
  const day = ctx.clock().toISOString().slice(0, 10)
  const type = 'application/octet-stream'
  const reply = isLongSpec(ctx)
    ? { status: 200 as const, body: inTurns(type, () => printedSchemaOf(ctx, scope)) }
    : text([...printedSchemaOf(ctx, scope)].join(''), type)
  return attachment(reply, `${scope}_${day}.graphql`)
}

function features({ limits, files, server: { rates, sockets = null } }: Pick<Context, 'files' | 'limits' | 'server'>) {
  const queryLimit = { default: limits.queryDefault, max: limits.queryMax ?? -1 }
  const uploads = files.resumable === null ? {} : { uploads: { chunkSize: files.resumable.segment } }
  return {
    rateLimit: rates.perAddress,
    rateLimitGlobal: rates.altogether,
    queryLimit,
    extensions: { limit: null },
    websocket: sockets ?? (false as const),
    ...uploads,
  }
}

function details({ server }: Pick<Context, 'server'>, { checks }: Health) {
  const entries = checks.map(({ component, status, milliseconds, threshold, reason }) => {
    const times = { observedValue: milliseconds, observedUnit: 'ms', threshold }
    const check = { status, componentType: component, ...times, ...(reason === null ? {} : { output: reason }) }
    return { [`${component}:responseTime`]: [check] }
  })
  return {
    releaseId: server.version,
    serviceId: server.instance,
    checks: Object.assign({}, ...entries) as (typeof entries)[number],
  }
}
