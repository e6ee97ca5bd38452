/** Requests that the spec refuses: damaged bodies, impossible parameters, invalid tokens. */
import { randomUUID } from 'node:crypto'
import { type Case, isObject } from '../cases/case.ts'
import { casesOf } from '../cases/cases.ts'
import { outcomeComplaintsOf } from '../cases/complaints.ts'
import { oncePerQuestion } from '../cases/questions.ts'
import { exampleOf, type Sample, withSamples } from '../cases/samples.ts'
import { askCase } from '../cases/send.ts'
import type { Ask } from '../http/client.ts'
import type { Exchange } from '../http/exchange.ts'
import { asText } from '../http/text.ts'
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { dataOf, expectSame, Mismatch } from '../run/mismatch.ts'
import type { Operation, Parameter, Spec } from '../spec/operations.ts'
import { createValidate } from '../spec/validate.ts'
import { asShownLater, bodyFor, makeRecord, sampleOf } from './records.ts'
import { type Resource, resourcesOf } from './resources.ts'

/** The checks of all operations that write, each on records of the verifier or on keys that do not exist. */
export function refusalChecks(spec: Spec): readonly Check[] {
  const resources = resourcesOf(spec)
  const existing = new Set(resources.flatMap((resource) => operationsOf(resource)))
  const others = spec.operations.filter((each) => !existing.has(each) && isAskable(each))
  return [
    ...resources.flatMap((resource) => resourceChecks(spec, resource)),
    ...checksOf(
      'spec',
      'world',
      others.map((operation) => statement(operation.id, refused, (trial) => refuseOther(trial, spec, operation))),
    ),
  ]
}

const refused = 'what the spec refuses is refused'

const operationsOf = ({ create, list, read, update, remove, updateMany, removeMany }: Resource) =>
  [create, list, read, update, remove, updateMany, removeMany].filter((each) => each !== null)

/**
 * Operations that send mail, change settings, the own account or the whole data model, read or write files, or end
 * sessions: a defect that accepts a damaged request could do harm there. Reads without parameters of the path are
 * asked by other checks.
 */
const harmful =
  /^\/(schema|settings|server|files|assets|items)\b|\/(tfa|invite|register|track|import|export|clear|request|accept)\b|^\/users\/me/

const isAskable = ({ path, method, body }: Operation): boolean =>
  !harmful.test(path) &&
  (method !== 'GET' || path.includes('{')) &&
  (body === null || body.mediaTypes[0] === 'application/json')

function resourceChecks(spec: Spec, resource: Resource): readonly Check[] {
  const { create, read, update, remove, updateMany, removeMany } = resource
  return checksOf('spec', 'world', [
    statement(create.id, refused, async (trial) => {
      const own = withSamples(create, {}, await sampleOf(trial, spec, resource))
      await refuseAll(trial.ask, spec, own, (exchange) => removeCreated(trial, resource, exchange))
    }),
    statement(update.id, 'what the spec refuses is refused, and the record stays as it is', async (trial) => {
      const { key, row } = await makeRecord(trial, spec, resource)
      const path = { [resource.key]: key }
      for (const operation of [read, update, remove]) {
        await refuseAll(trial.ask, spec, withSamples(operation, path, plainChange(operation)))
      }
      const id = row[resource.key] ?? row['id']
      if (updateMany !== null) {
        await refuseAll(trial.ask, spec, withSamples(updateMany, {}, { keys: [id], data: plainChange(update) }))
      }
      if (removeMany !== null) await refuseAll(trial.ask, spec, withSamples(removeMany, {}, { keys: [nobody(id)] }))
      const after = await trial.ask(`GET ${resource.path}/${encodeURIComponent(key)}`)
      const record = dataOf<Sample>(after)
      expectSame(after, 'A refused request has changed the record', record, asShownLater(row, record))
    }),
  ])
}

/** A change without references to records that are not the verifier's. */
const plainChange = (operation: Operation): Sample | undefined =>
  operation.body === null
    ? undefined
    : Object.fromEntries(Object.entries(exampleOf(operation)).filter(([, value]) => !isObject(value)))

/** A key that no record has. */
const nobody = (key: unknown): unknown => (typeof key === 'number' ? 2_000_000_000 : randomUUID())

async function refuseOther(trial: Trial, spec: Spec, operation: Operation): Promise<void> {
  const { names, prefix } = trial.world
  const none = `${prefix}_none`
  if (operation.path === '/collections') trial.remove(`/collections/${none}`)
  const valueOf = ({ name, schema }: Parameter): unknown => {
    if (name === 'collection') return operation.method === 'DELETE' ? none : names.notes
    return schema['type'] === 'integer' ? 2_000_000_000 : name === 'field' ? none : randomUUID()
  }
  const inPath = operation.parameters.filter((each) => each.in === 'path')
  const path = Object.fromEntries(inPath.map((each) => [each.name, valueOf(each)]))
  const body = operation.body === null ? undefined : await otherBody(trial, spec, operation, none)
  const schema = operation.body?.schema ?? {}
  // Without a valid body to damage, the reason of a refusal is not known.
  if (body !== undefined && createValidate(spec)(schema, body) !== null) return
  await refuseAll(trial.ask, spec, withSamples(operation, path, body))
}

async function otherBody(trial: Trial, spec: Spec, operation: Operation, none: string): Promise<Sample> {
  if (operation.path.startsWith('/graphql')) return { query: '{ __typename }' }
  if (operation.path === '/collections') return { collection: none, schema: {}, meta: {} }
  const body = await bodyFor(trial, spec, operation)
  return 'field' in body ? { ...body, field: none } : body
}

/** Sends what the spec refuses; `onAccepted` removes what an accepted request has made. */
export async function refuseAll(
  ask: Ask,
  spec: Spec,
  operation: Operation,
  onAccepted: (exchange: Exchange) => void = () => {},
): Promise<void> {
  for (const each of refusalsOf(spec, operation)) {
    if (!isSafe(each)) continue
    const exchange = await askCase(ask, each)
    if (exchange.status < 300) onAccepted(exchange)
    const [complaint] = outcomeComplaintsOf(each, exchange, createValidate(spec))
    if (complaint === undefined) continue
    throw new Mismatch(`${each.rule}: ${complaint}`, {
      exchange,
      expected: each.name === null ? 'a refusal' : `a refusal that names ${each.name}`,
      received: `${exchange.status}: ${exchange.text.slice(0, 300)}`,
      pointer: operation.pointer,
    })
  }
}

function removeCreated(trial: Trial, { path, key }: Resource, { json }: Exchange): void {
  const rows = [(json as { readonly data?: unknown } | undefined)?.data].flat()
  for (const row of rows) {
    const id = (row as Sample | null | undefined)?.[key] ?? (row as Sample | null | undefined)?.['id']
    if (id !== undefined) trial.remove(`${path}/${encodeURIComponent(asText(id))}`)
  }
}

/** A body of several records names them intact, and a removal has no other body: no defect can widen the request. */
export function isSafe({ operation: { path, method, body }, request }: Case): boolean {
  const isWhole = path.endsWith('}') || path.includes('}/')
  if (body === null || (method !== 'DELETE' && (method !== 'PATCH' || isWhole))) return true
  const sample = body.examples[0]?.value as { readonly keys?: unknown } | undefined
  try {
    const sent = JSON.parse(request.body ?? '') as { readonly keys?: unknown } | null
    return sample?.keys !== undefined && JSON.stringify(sent?.keys) === JSON.stringify(sample.keys)
  } catch {
    return false
  }
}

/** The negative cases of an operation whose question no operation before it has asked. */
export function refusalsOf(spec: Spec, operation: Operation): readonly Case[] {
  const names = refusalNamesOf(spec)
  return negatives(spec, operation).filter((each) => names.has(nameOf(each)))
}

const nameOf = ({ operation, rule }: Case): string => `${operation.id} ${rule}`

const negatives = (spec: Spec, operation: Operation): readonly Case[] =>
  casesOf(spec, createValidate(spec), operation).filter(({ kind, rule }) => kind === 'negative' && rule !== tooLarge)

/** The limit of a deployment is not known. */
const tooLarge = 'body is too large'

const namesBySpec = new WeakMap<Spec, ReadonlySet<string>>()

function refusalNamesOf(spec: Spec): ReadonlySet<string> {
  const names =
    namesBySpec.get(spec) ??
    new Set(
      oncePerQuestion(
        spec.operations
          .filter(({ path }) => !path.startsWith('/items/'))
          .flatMap((each) => negatives(spec, withSamples(each, {}, each.body === null ? undefined : exampleOf(each)))),
      ).map(nameOf),
    )
  namesBySpec.set(spec, names)
  return names
}
