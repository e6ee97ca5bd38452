/** The clients that a change breaks, by their counted usage. */
import {
  type Access,
  type AffectedClient,
  type ChangeWithClients,
  type PlannedChange,
  type Severity,
} from '../../domain/ports/configuration.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { UsedAs } from '../../domain/query/usage.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { administrative } from '../../generated/administrative.ts'
import { succeeded } from '../../generated/successors.ts'
import { type CountedUse, readUsageCounts } from '../../sql/statements/operation/usage.ts'
import { usageLimits } from './usage.ts'

/**
 * A use with the collection and the field at the end of its path; null = the collection as a whole, `*` = all fields. A call
 * of an operation is of no collection.
 */
type Use = Omit<AffectedClient, 'severity'> & {
  /** Empty for a call. */
  readonly collection: string
  readonly field: string | null
  readonly isNested: boolean
  /** One operation of a client, in one kind of access. */
  readonly doneBy: string
  /** The position among all uses, the latest call first. */
  readonly order: number
}

type UsedName = Pick<Use, 'collection' | 'field' | 'isNested'>

/** The uses of each collection, the latest call first. */
type Uses = ReadonlyMap<string, readonly Use[]>

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
  const allUses = counted.flatMap((each, order) => toUse(ctx.schema, each, order))
  const uses = Map.groupBy(allUses, ({ collection }) => collection)
  return changes.map((change) => ({ ...change, clients: affectedBy(change, uses) }))
}

/** Follows a path through the relations; empty for what the schema does not have. */
function toUse(
  schema: Schema,
  { client, generation, operation, access, path, last }: CountedUse,
  order: number,
): readonly Use[] {
  const usedName = access === 'call' ? { collection: '', field: null, isNested: false } : usedNameOf(schema, path)
  const doneBy = JSON.stringify([client, generation, operation, access])
  return usedName === null
    ? []
    : [{ client, generation, operation, access, path, lastCall: last, doneBy, order, ...usedName }]
}

function usedNameOf(schema: Schema, path: string): UsedName | null {
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
function affectedBy(change: PlannedChange, uses: Uses): readonly AffectedClient[] {
  const elsewhere = (change.lost ?? []).map((right): PlannedChange => ({ ...withoutUnnamed(change), ...right }))
  const parts = [change, ...elsewhere].map((part) => ({ part, naming: namingIn(part, uses) }))
  const keys = [...(change.administration === undefined ? [] : ['']), ...parts.map(({ part }) => part.collection)]
  const groups = [...new Set(keys)].flatMap((key) => (key === null ? [] : [uses.get(key) ?? []]))
  const possible = groups.length > 1 ? groups.flat().toSorted((a, b) => a.order - b.order) : (groups[0] ?? [])
  const affected: AffectedClient[] = []
  for (const use of possible) {
    if (affected.length === mostClients) break
    if (change.isOlder === true && use.generation !== succeeded) continue
    const severity = use.access === 'call' ? administrationIn(change, use) : strongestOf(parts, use)
    if (severity !== 'safe') affected.push(toAffected(use, severity))
  }
  return affected
}

type Part = { readonly part: PlannedChange; readonly naming: ReadonlySet<string> }

function strongestOf(parts: readonly Part[], use: Use): Severity {
  let worst: Severity = 'safe'
  for (const { part, naming } of parts) {
    const severity = severityOf(part, use, naming)
    if (severity === 'breaking') return severity
    if (severity === 'perhaps') worst = severity
  }
  return worst
}

const withoutUnnamed = ({ unnamed: _unnamed, perhaps: _perhaps, ...change }: PlannedChange): PlannedChange => change

const administrationIn = ({ administration }: PlannedChange, { generation, operation }: Use): Severity =>
  administrative[generation]?.includes(operation) === true ? (administration ?? 'safe') : 'safe'

const namingIn = ({ collection, fields, unnamed }: PlannedChange, uses: Uses): ReadonlySet<string> =>
  unnamed === undefined
    ? new Set()
    : new Set(
        (uses.get(collection ?? '') ?? [])
          .filter((use) => fields?.includes(use.field ?? '') === true)
          .map(({ doneBy }) => doneBy),
      )

/** How a part of a change affects a use. A client that reads all fields may not need the affected one. */
function severityOf(part: PlannedChange, use: Use, naming: ReadonlySet<string>): Severity {
  const { collection, fields, breaks, perhaps, unnamed, severity } = part
  if (use.collection !== collection) return 'safe'
  if (fields !== null && use.field === null) {
    const access = use.access as Access
    return naming.has(use.doneBy) ? 'safe' : (unnamed?.[access] ?? 'safe')
  }
  if (!isBroken(breaks, use) || !isOfFields(fields, use)) return 'safe'
  const isDoubtful = use.field === '*' || perhaps?.includes(use.access as Access) === true || severity !== 'breaking'
  return isDoubtful ? 'perhaps' : 'breaking'
}

function isOfFields(fields: readonly string[] | null, { field, access, isNested }: Use): boolean {
  if (fields === null) return field === null || isNested
  return field === '*' ? access === 'read' : fields.includes(field ?? '')
}

function toAffected(
  { client, generation, operation, access, path, lastCall }: Use,
  severity: ShownSeverity,
): AffectedClient {
  return { client, generation, operation, access, path, severity, lastCall }
}

type ShownSeverity = AffectedClient['severity']

const writes = (access: UsedAs): boolean => access === 'create' || access === 'update'

/** Related rows are created and updated by one request. */
function isBroken(breaks: readonly UsedAs[], { access, isNested }: Use): boolean {
  if (breaks.includes(access)) return true
  return isNested && writes(access) && breaks.some(writes)
}
