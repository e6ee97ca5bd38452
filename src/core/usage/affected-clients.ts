/** The clients that a change breaks, by what is counted of their use. */
import type { Access, AffectedClient, ChangeWithClients, PlannedChange } from '../../domain/ports/configuration.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { type CountedUse, readUsageCounts } from '../../sql/statements/operation/usage.ts'
import { usageLimits } from './usage.ts'

/** A use with the collection and the field at the end of its path; null = the collection as a whole, `*` = all fields. */
type Use = Omit<AffectedClient, 'severity'> & {
  readonly collection: string
  readonly field: string | null
  readonly isNested: boolean
}

/** The most clients of one change. */
const mostClients = 1000

/** Adds to each change the clients that use what it takes away. Paths are those of the schema before the changes. */
export async function withClients(
  ctx: Pick<Context, 'db' | 'schema' | 'server'>,
  changes: readonly PlannedChange[],
): Promise<readonly ChangeWithClients[]> {
  await ctx.server.flushUsage?.()
  const all = { client: null, generation: null, operation: null, limit: usageLimits.rows }
  const counted = await readUsageCounts(ctx.db, all)
  const uses = counted.flatMap((each) => toUse(ctx.schema, each))
  return changes.map((change) => ({ ...change, clients: affectedBy(change, uses) }))
}

/** Follows a path through the relations; empty for what the schema does not have. */
function toUse(schema: Schema, { client, generation, operation, access, path, last }: CountedUse): readonly Use[] {
  if (access === 'call') return []
  const place = placeOf(schema, path)
  return place === null ? [] : [{ client, generation, operation, access, path, lastCall: last, ...place }]
}

function placeOf(schema: Schema, path: string): Pick<Use, 'collection' | 'field' | 'isNested'> | null {
  const [root = '', ...names] = path.split('.')
  if (names.length === 0) return { collection: root, field: null, isNested: false }
  let collection = root
  for (const step of names.slice(0, -1)) {
    const [name = '', scope] = step.split(':')
    const relation = schema.collections.get(collection)?.fields.get(name)?.relation ?? null
    // The fields of all related collections.
    if (step === '*') return { collection, field: '*', isNested: true }
    const related = scope ?? (relation !== null && 'collection' in relation ? relation.collection : null)
    if (related === null) return null
    collection = related
  }
  const [field = ''] = (names.at(-1) ?? '').split(':')
  return { collection, field, isNested: names.length > 1 }
}

/** One entry per client, generation, operation and path, the latest call first. */
function affectedBy(change: PlannedChange, uses: readonly Use[]): readonly AffectedClient[] {
  const parts = change.lost?.map((right): PlannedChange => ({ ...change, ...right })) ?? [change]
  const found = uses.filter((use) => parts.some((part) => isAffected(part, use)))
  const places = new Set<string>()
  return found
    .toSorted((a, b) => (a.lastCall < b.lastCall ? 1 : a.lastCall > b.lastCall ? -1 : a.path < b.path ? -1 : 1))
    .filter(({ client, generation, operation, access, path }) => {
      const key = JSON.stringify([client, generation, operation, access, path])
      return !places.has(key) && places.add(key)
    })
    .slice(0, mostClients)
    .map(({ collection: _collection, isNested: _isNested, ...use }) => toAffected(change, use))
}

function isAffected({ collection, fields, breaks, unnamed }: PlannedChange, use: Use): boolean {
  if (use.collection !== collection || !isBroken(breaks, use)) return false
  if (fields === null) return use.field === null || use.isNested
  if (use.field === null) return unnamed?.includes(use.access) === true
  return use.field === '*' ? use.access === 'read' : fields.includes(use.field ?? '')
}

/** Who reads all fields may not need the one that is concerned. */
function toAffected(
  { severity, perhaps }: PlannedChange,
  { field, ...client }: Omit<Use, 'collection' | 'isNested'>,
): AffectedClient {
  const isDoubtful = field === '*' || perhaps?.includes(client.access) === true || severity !== 'breaking'
  return { ...client, severity: isDoubtful ? 'perhaps' : 'breaking' }
}

const writes = (access: Access): boolean => access === 'create' || access === 'update'

/** Related rows are created and updated by one request. */
function isBroken(breaks: readonly Access[], { access, isNested }: Use): boolean {
  if (breaks.includes(access)) return true
  return isNested && writes(access) && breaks.some(writes)
}
