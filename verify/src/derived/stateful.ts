/** Records of each resource of the spec: created, read, changed, deleted and gone. */
import { propertiesOf, type Sample } from '../cases/samples.ts'
import type { Row } from '../checks/listing.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Check, checksOf, type Statement, statement, type Trial } from '../run/check.ts'
import { dataOf, expectSame, expectStatus, expectThat } from '../run/mismatch.ts'
import { follow } from '../spec/document.ts'
import type { Spec } from '../spec/operations.ts'
import { createValidate } from '../spec/validate.ts'
import { asShownLater, changeOf, type Made, makeRecord, sampleOf } from './records.ts'
import { type Resource, resourcesOf } from './resources.ts'

export const statefulChecks = (spec: Spec): readonly Check[] =>
  checksOf(
    'spec',
    'world',
    resourcesOf(spec).flatMap((resource) => statementsOf(spec, resource)),
  )

function statementsOf(spec: Spec, resource: Resource): readonly Statement[] {
  const { create, update, updateMany, removeMany } = resource
  const one = statement(create.id, 'a record is created, read, changed and deleted, and then gone', (trial) =>
    live(trial, spec, resource),
  )
  const unknown = statement(update.id, 'unknown properties are refused, or left out and named', (trial) =>
    unknownProperties(trial, spec, resource),
  )
  const several =
    updateMany === null || removeMany === null
      ? []
      : [
          statement(removeMany.id, 'several records are created, changed and deleted at once', (trial) =>
            liveTogether(trial, spec, resource),
          ),
        ]
  return [one, ...several, ...(isOpen(spec, resource) ? [unknown] : [])]
}

async function live(trial: Trial, spec: Spec, resource: Resource): Promise<void> {
  const { key, body, row, exchange } = await makeRecord(trial, spec, resource)
  const path = `${resource.path}/${encodeURIComponent(key)}`
  expectWritten(exchange, row, body)
  const read = await trial.ask(`GET ${path}`)
  const record = dataOf<Sample>(read)
  expectSame(read, 'The record read is not the record created', record, asShownLater(row, record))
  expectComplete(read, record, propertiesOfRecord(spec, resource))
  await expectListed(trial, resource, key, record)
  const change = changeOf(trial, spec, resource, row)
  if (Object.keys(change).length > 0) {
    const patched = await trial.ask(`PATCH ${path}`, { body: change })
    expectWritten(patched, dataOf<Sample>(patched), change)
    const again = await trial.ask(`GET ${path}`)
    expectSame(again, 'The record read is not the record changed', dataOf(again), dataOf(patched))
    const stored = comparableOf(spec, resource, change)
    expectSame(again, 'The change has changed more than it names', stored(dataOf<Sample>(again)), stored(record))
  }
  expectStatus(await trial.ask(`DELETE ${path}`), 204)
  expectStatus(await trial.ask(`GET ${path}`), 403, 404)
  expectStatus(await trial.ask(`DELETE ${path}`), 403, 404)
}

async function liveTogether(trial: Trial, spec: Spec, resource: Resource): Promise<void> {
  const { path } = resource
  const bodies = [await sampleOf(trial, spec, resource), await sampleOf(trial, spec, resource)]
  const created = await trial.ask(`POST ${path}`, { body: bodies })
  const keyOf = (row: Sample): unknown => row[resource.key] ?? row['id'] ?? null
  // Rows without a key are built in.
  const rows = dataOf<readonly Sample[]>(created).filter((row) => keyOf(row) !== null)
  const keys = rows.map(keyOf)
  for (const key of keys) trial.remove(`${path}/${encodeURIComponent(String(key))}`)
  expectSame(created, 'Another number of records is answered', rows.length, 2)
  for (const [at, body] of bodies.entries()) expectWritten(created, rows[at] ?? {}, body)
  const change = changeOf(trial, spec, resource, rows[0] ?? {})
  if (Object.keys(change).length > 0) {
    const patched = await trial.ask(`PATCH ${path}`, { body: { keys, data: change } })
    const changed = dataOf<readonly Sample[]>(patched).filter((row) => keyOf(row) !== null)
    expectSame(patched, 'Another number of records is changed', changed.length, 2)
    for (const row of changed) expectWritten(patched, row, change)
  }
  expectStatus(await trial.ask(`DELETE ${path}`, { body: { keys } }), 204)
  for (const key of keys) {
    expectStatus(await trial.ask(`GET ${path}/${encodeURIComponent(String(key))}`), 403, 404)
  }
}

async function unknownProperties(trial: Trial, spec: Spec, resource: Resource): Promise<void> {
  const { key, row } = await makeRecord(trial, spec, resource)
  const name = 'unexpected_key'
  const path = `${resource.path}/${encodeURIComponent(key)}`
  const exchange = await trial.ask(`PATCH ${path}`, { body: { ...changeOf(trial, spec, resource, row), [name]: 1 } })
  if (exchange.status < 400) {
    const named = exchange.headers.get('ignored-fields') ?? ''
    expectThat(exchange, 'The unknown property is named in Ignored-Fields', named.includes(name), named)
    expectThat(exchange, 'The unknown property is not answered', !(name in dataOf<Row>(exchange)))
  }
  const read = await trial.ask(`GET ${path}`)
  expectThat(read, 'The unknown property is not stored', !(name in dataOf<Row>(read)))
  expectStatus(await trial.ask(`DELETE ${path}`), 204)
}

/** Whether the spec does not refuse unknown properties of a change. */
const isOpen = (spec: Spec, { update }: Resource): boolean =>
  update.body?.schema != null && createValidate(spec)(update.body.schema, { unexpected_key: 1 }) === null

/** What is written is answered, except secrets, which are masked or left out. */
function expectWritten(exchange: Exchange, row: Sample, body: Sample): void {
  const shown = Object.entries(body).filter(([name]) => name in row && !/^\*+$/.test(String(row[name])))
  const answered = Object.fromEntries(shown.map(([name]) => [name, row[name]]))
  expectSame(exchange, 'The answer is not what was written', answered, Object.fromEntries(shown))
}

async function expectListed(trial: Trial, resource: Resource, key: Made['key'], row: Sample): Promise<void> {
  if (resource.list?.parameters.some(({ name }) => name === 'filter') !== true) return
  const name = resource.key in row ? resource.key : 'id'
  const list = await trial.ask(`GET ${resource.path}`, { query: { filter: { [name]: { _eq: key } } } })
  expectSame(list, 'The list does not hold the record as it was created', dataOf(list), [row])
}

/**
 * A read of all fields answers each property that the spec has, so that one of another name is missing. What is computed
 * may be there for some records only.
 */
function expectComplete(exchange: Exchange, row: Sample, properties: Properties): void {
  const missing = Object.entries(properties)
    .filter(([name, schema]) => schema['writeOnly'] !== true && schema['x-computed'] !== true && !(name in row))
    .map(([name]) => name)
  expectSame(exchange, 'Properties of the spec are not answered', missing, [])
}

type Properties = ReturnType<typeof propertiesOf>

function propertiesOfRecord(spec: Spec, { read }: Resource): Properties {
  const envelope = propertiesOf(spec, follow(spec.document, read.responses.get(200)?.schema ?? {}))
  return propertiesOf(spec, envelope['data'] ?? {})
}

/** The properties that a change does not name, and that the server does not set. */
function comparableOf(spec: Spec, resource: Resource, change: Sample): (row: Sample) => Sample {
  const properties = propertiesOfRecord(spec, resource)
  return (row) =>
    Object.fromEntries(
      Object.entries(row).filter(([name]) => !(name in change) && properties[name]?.['readOnly'] !== true),
    )
}
