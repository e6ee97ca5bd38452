/** Requests that the deployment's own spec describes. They change nothing, so they run with `--read-only` too. */
import { refuseAll } from '../derived/refusals.ts'
import { type Check, checksOf, type Statement, statement, type Trial } from '../run/check.ts'
import { dataOf, expectSame, expectStatus, expectThat, Mismatch } from '../run/mismatch.ts'
import { leakOf } from '../spec/leaks.ts'
import type { Operation, Parameter, Spec } from '../spec/operations.ts'
import type { Row } from './listing.ts'

/** Reads that have effects, cost much, or answer without a body that ends. */
const skipped = /^\/(utils|assets|auth|graphql|users\/me\/tfa|files\/tus)|export|verify-email|\{/

/** Operations that can be asked without knowing anything: reads without required parameters. */
export const plainReads = (spec: Spec): readonly Operation[] =>
  spec.operations.filter(
    ({ method, path, parameters }) =>
      method === 'GET' && !skipped.test(path) && parameters.every(({ required }) => !required),
  )

const isNumber = ({ in: position, schema }: Parameter): boolean =>
  position === 'query' && (schema['type'] === 'integer' || schema['type'] === 'number')

/** One check per read of the spec; conformance is checked for each answer by itself. */
export function specChecks(spec: Spec): readonly Check[] {
  return checksOf(
    'spec',
    'deployment',
    plainReads(spec).flatMap((operation): readonly Statement[] => [
      statement(operation.id, 'an administrator is answered as the spec says', async ({ ask }) => {
        const exchange = await ask(`GET ${operation.path}`)
        expectThat(exchange, 'The read succeeds', exchange.status < 400 || exchange.status === 404, exchange.status)
      }),
      ...(operation.secured || operation.parameters.length > 0 ? [parameterStatement(spec, operation)] : []),
    ]),
  )
}

/** What the spec refuses of a read, and numbers that it gives as examples. */
const parameterStatement = (spec: Spec, operation: Operation): Statement =>
  statement(
    operation.id,
    'examples of parameters are accepted, impossible values and invalid tokens refused',
    async ({ ask }) => {
      for (const { name, examples } of operation.parameters.filter(isNumber)) {
        if (examples[0] === undefined) continue
        const accepted = await ask(`GET ${operation.path}`, { query: { [name]: examples[0].value } })
        expectThat(accepted, `The example of ${name} is accepted`, accepted.status < 400, accepted.status)
      }
      await refuseAll(ask, spec, operation)
    },
  )

type Collection = { readonly collection: string; readonly schema: unknown; readonly meta: Row | null }
type Field = { readonly field: string; readonly schema: { readonly is_primary_key?: boolean } | null }

/** Statements that hold for any data, on at most five collections of the deployment. */
async function existing({ ask }: Trial): Promise<readonly { readonly path: string; readonly key: string }[]> {
  const collections = dataOf<readonly Collection[]>(await ask('GET /collections')).filter(
    ({ collection, schema, meta }) =>
      schema !== null &&
      meta?.['singleton'] !== true &&
      meta?.['system'] !== true &&
      !/^(platform|directus)_|^tv_/.test(collection),
  )
  const lists: { path: string; key: string }[] = []
  for (const { collection } of collections.slice(0, 5)) {
    const fields = dataOf<readonly Field[]>(await ask(`GET /fields/${collection}`))
    const keys = fields.filter(({ schema }) => schema?.is_primary_key === true)
    if (keys[0] !== undefined && keys.length === 1) lists.push({ path: `/items/${collection}`, key: keys[0].field })
  }
  return lists
}

export const deploymentChecks: readonly Check[] = checksOf('spec', 'deployment', [
  statement('readItems', 'pages of existing collections add up, and their counts agree', async (trial) => {
    for (const { path, key } of await existing(trial)) {
      const whole = await trial.ask(`GET ${path}`, { query: { fields: key, sort: key, limit: 6, meta: '*' } })
      const rows = dataOf<readonly Row[]>(whole)
      const first = await trial.ask(`GET ${path}`, { query: { fields: key, sort: key, limit: 3 } })
      const second = await trial.ask(`GET ${path}`, { query: { fields: key, sort: key, limit: 3, page: 2 } })
      const parts = [...dataOf<readonly Row[]>(first), ...dataOf<readonly Row[]>(second)]
      expectSame(second, 'The pages do not add up to the list', parts, rows)
      const { total_count } = (whole.json as { readonly meta: { readonly total_count: number } }).meta
      expectThat(whole, 'The count is at least that of the page', total_count >= rows.length, total_count)
    }
  }),
  statement('readItem', 'items of existing collections are the same alone and in a list', async (trial) => {
    for (const { path, key } of await existing(trial)) {
      const list = await trial.ask(`GET ${path}`, { query: { sort: key, limit: 2 } })
      for (const row of dataOf<readonly Row[]>(list)) {
        const one = await trial.ask(`GET ${path}/${encodeURIComponent(String(row[key]))}`)
        expectSame(one, 'The item differs from that in the list', dataOf(one), row)
      }
    }
  }),
  statement('readServerInfo', 'unknown paths, methods and tokens are refused', async ({ ask }) => {
    expectStatus(await ask('GET /no-such-path'), 404)
    expectStatus(await ask('GET /items/no_such_collection'), 403, 404)
    const headers = { authorization: 'Bearer nobody-has-this-token' }
    const exchange = await ask('GET /users/me', { as: 'public', headers })
    expectStatus(exchange, 401, 403)
  }),
  statement('readServerInfo', 'errors do not show statements, paths or stack traces', async ({ ask }) => {
    for (const path of [
      '/items/%27',
      '/items/x?filter=%7B',
      '/users/%00',
      '/users?sort=%27',
      '/users?filter[email][_eq]=%27',
    ]) {
      const exchange = await ask(`GET ${path}`)
      expectThat(exchange, 'The request is answered without a server error', exchange.status < 500, exchange.status)
      const leak = exchange.status < 400 ? null : leakOf(exchange.text)
      if (leak !== null)
        throw new Mismatch('The error shows internals', {
          exchange,
          expected: 'a message for clients',
          received: leak,
        })
    }
  }),
])
