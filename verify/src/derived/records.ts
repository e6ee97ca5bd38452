/** Makes records of the verifier, from the examples of the spec and with references to records of its own. */
import { randomBytes, randomUUID } from 'node:crypto'
import { exampleOf, propertiesOf, recordSchema, referenceOf, type Sample } from '../cases/samples.ts'
import { createDraft } from '../checks/drafts.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Trial } from '../run/check.ts'
import { dataOf } from '../run/mismatch.ts'
import type { JsonSchema } from '../spec/document.ts'
import type { Operation, Spec } from '../spec/operations.ts'
import { type Resource, resourcesOf } from './resources.ts'

export type Made = {
  readonly key: string
  readonly body: Sample
  readonly row: Sample
  readonly exchange: Exchange
}

/** Creates a record, and what it refers to. Everything is removed at the end. */
export async function makeRecord(trial: Trial, spec: Spec, resource: Resource): Promise<Made> {
  const body = await sampleOf(trial, spec, resource)
  return make(trial, resource, body)
}

async function make(trial: Trial, { path, key: name }: Resource, body: Sample): Promise<Made> {
  const exchange = await trial.ask(`POST ${path}`, { body })
  const row = dataOf<Sample>(exchange)
  const key = String(row[name] ?? row['id'])
  trial.remove(`${path}/${encodeURIComponent(key)}`)
  return { key, body, row, exchange }
}

export async function sampleOf(trial: Trial, spec: Spec, resource: Resource): Promise<Sample> {
  const body = await bodyFor(trial, spec, resource.create)
  const isOwn = (value: unknown): boolean => typeof value === 'string' && value.startsWith(trial.world.prefix)
  const marked = Object.entries(body).find(([, value]) => isOwn(value))
  if (marked !== undefined) trial.removeNamed({ path: resource.path, field: marked[0], key: resource.key })
  return body
}

/** A body with the plain values of the example, each text of them unique, and references to records made for it. */
export async function bodyFor(trial: Trial, spec: Spec, operation: Operation): Promise<Sample> {
  const schema = recordSchema(spec, operation)
  const properties = propertiesOf(spec, schema)
  const required = (schema['required'] ?? []) as readonly string[]
  const example = exampleOf(operation)
  const row = 'item' in properties ? await createDraft(trial, { title: trial.mark() }) : null
  const sample: { [name: string]: unknown } = {}
  for (const name of new Set([...required, ...Object.keys(example)])) {
    const property = properties[name]
    if (property === undefined) continue
    if (name === 'collection') sample[name] = trial.world.names.drafts
    else if (name === 'item') sample[name] = String(row?.id)
    else if (referenceOf(spec, property) !== null) sample[name] = await referred(trial, spec, property)
    else if (isPlain(example[name])) sample[name] = ownValue(trial, name, property, example[name])
    else if (name === 'collections') sample[name] = [trial.world.names.drafts]
    else if (required.includes(name) && isListOfTexts(example[name])) sample[name] = example[name]
  }
  // No mail is sent to an account of the verifier, and no change to the address of an example.
  return {
    ...sample,
    ...('email_notifications' in properties ? { email_notifications: false } : {}),
    ...('collections' in properties && 'url' in properties ? { status: 'inactive' } : {}),
  }
}

/** Passwords of records that are only referred to would cost the server their hashes. */
async function referred(trial: Trial, spec: Spec, property: JsonSchema): Promise<string | null> {
  const resource = resourcesOf(spec).find(({ collection }) => collection === referenceOf(spec, property))
  if (resource === undefined) return null
  const { password: _, ...body } = await sampleOf(trial, spec, resource)
  return (await make(trial, resource, body)).key
}

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

const isPlain = (value: unknown): boolean => value !== undefined && (value === null || typeof value !== 'object')

/** Texts that are chosen from what the server knows stay as they are. */
const chosen = /^(type|action|language|icon|color|status|role|scope)$/

function ownValue({ world }: Trial, name: string, schema: JsonSchema, example: unknown): unknown {
  if (typeof example !== 'string' || 'enum' in schema || chosen.test(name)) return example
  const mark = `${world.prefix}_${randomBytes(3).toString('hex')}`
  if (name === 'password') return randomUUID()
  if (schema['format'] === 'email' || name === 'email') return `${mark}@example.com`
  return 'format' in schema || 'pattern' in schema ? example : mark
}

/** What a change sends: the plain values of its example, or another text for the first text of the record. */
export function changeOf(trial: Trial, spec: Spec, { update }: Resource, row: Sample): Sample {
  const properties = propertiesOf(spec, recordSchema(spec, update))
  const entries = Object.entries(exampleOf(update)).flatMap(([name, value]) => {
    const property = properties[name]
    const isReference = property !== undefined && referenceOf(spec, property) !== null
    return property === undefined || isReference || !isPlain(value)
      ? []
      : [[name, ownValue(trial, name, property, value)] as const]
  })
  if (entries.length > 0) return Object.fromEntries(entries)
  const free = Object.entries(properties).find(
    ([name, each]) => [each['type']].flat().includes('string') && !chosen.test(name) && isFree(each) && name in row,
  )
  return free === undefined ? {} : { [free[0]]: ownValue(trial, free[0], free[1], 'text') }
}

const isFree = (schema: JsonSchema): boolean =>
  !['enum', 'format', 'pattern', 'readOnly', 'writeOnly', 'x-secret'].some((keyword) => keyword in schema)

const mask = '**********'

/** The record as later answers show it: secrets that only its creation showed are masked. */
export const asShownLater = (created: Sample, later: Sample): Sample =>
  Object.fromEntries(Object.entries(created).map(([name, value]) => [name, later[name] === mask ? mask : value]))
