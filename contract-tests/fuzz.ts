/** Generates hostile requests from a seed. The same seed gives the same requests. */

import { type Pairs, pairsText, pathText } from '../verify/src/http/query.ts'
import type { Operation } from '../verify/src/spec/operations.ts'
import { plausibleQuery } from './fuzz-query.ts'
import { type Random, words } from './random.ts'

export type HostileRequest = {
  readonly method: string
  readonly target: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | null
}

const texts = [
  '',
  ' ',
  ...words(`
    x * *.*.*.* 0 -1 1e309 99999999999999999999 -0 NaN null true [] {} [[]]`),
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\uffff',
  '💥'.repeat(50),
  "'",
  '"',
  '\\',
  "' or 1=1 --",
  '"; drop table articles; --',
  ...words(`
    $1 % %% ../../etc/passwd __proto__ constructor toString hasOwnProperty platform_users password token id
    title author author.name
    author.articles.author.articles.author.articles.author.articles.author.articles.author.articles count(*)
    year(published) year(title) year( () pg_sleep(9) $NOW`),
  '$NOW(-1 day)',
  '$NOW(999999999999 years)',
  ...words(`
    $CURRENT_USER $CURRENT_USER.role.name - -.- , ,,, . .. : item:articles.id 2026-02-30 0000-00-00
    9999-12-31T23:59:60Z`),
  'a'.repeat(3000),
  ...words(`
    (a+)+$ ? -id,-id,-id {"_and":[{"_or":[]}]} {"id":{"_in":[]}} 1,2,3, 00000000-0000-0000-0000-000000000000`),
] as const

const keys = [
  '',
  ...words(`
  id title author comments tags views featured published status name no_such __proto__ constructor data keys query
  filter fields sort limit _and _or _eq _neq _in _nin _between _null _empty _contains _some _none _limit _sort
  _filter _deep eq in between has all rlike logical count sum year(published) count(comments) author.name a\u0000b
  $FOLLOW(articles,author) 0 999`),
]

/** A random JSON value, at most `depth` levels deep; sometimes a very deep or wide one. */
function hostileValue(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 10 : 6)
  if (kind < 3) return random.pick(texts)
  if (kind === 3) return random.pick([0, -1, 1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 0.1, 5])
  if (kind === 4) return random.pick([null, true, false])
  if (kind === 5) return random.below(20) === 0 ? nested(random.below(400), random.pick(keys)) : random.pick(keys)
  if (kind < 8)
    return Array.from({ length: random.below(random.below(15) === 0 ? 300 : 4) }, () => hostileValue(random, depth - 1))
  const entries = Array.from(
    { length: random.below(4) },
    () => [random.pick(keys), hostileValue(random, depth - 1)] as const,
  )
  return Object.fromEntries(entries)
}

const nested = (levels: number, key: string): unknown => (levels === 0 ? 1 : { [key]: nested(levels - 1, key) })

/** A random request, half of the time to a list operation, with a hostile path, query, header or body. */
export function hostileRequest(random: Random, operations: readonly Operation[]): HostileRequest {
  const reads = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'filter'))
  const operation = random.pick(random.below(2) === 0 ? reads : operations)
  const path = Object.fromEntries(
    operation.parameters
      .filter((each) => each.in === 'path')
      .map((each) => [each.name, pathValue(random, each.examples[0]?.value)]),
  )
  const query = pairsText(
    random.below(2) === 0 ? plausibleQuery(random, operation.generation) : hostileQuery(random, operation),
  )
  const method = operation.search && random.below(4) === 0 ? 'SEARCH' : operation.method
  const target = `${pathText(operation.path, path)}${query === '' ? '' : `?${query}`}${random.below(40) === 0 ? '&%E0%A4%A=%' : ''}`
  return { method, target, ...hostileBody(random, operation, method) }
}

const hostileQuery = (random: Random, operation: Operation): Pairs =>
  Array.from({ length: random.below(4) }, () => [queryName(random, operation), queryValue(random)] as const)

/** Mostly a valid value, so that hostile queries pass the validation of the path. */
function pathValue(random: Random, good: unknown): string {
  const text = random.below(4) > 0 ? String(good) : random.pick(texts)
  return text.isWellFormed() && !['', '.', '..'].includes(text) ? text.slice(0, 200) : 'x'
}

function queryName(random: Random, operation: Operation): string {
  const known = operation.parameters.filter((each) => each.in === 'query').map((each) => each.name)
  const name = known.length > 0 && random.below(8) > 0 ? random.pick(known) : random.pick(keys)
  const steps = Array.from({ length: random.below(4) }, () => `[${random.pick(keys)}]`)
  return `${name}${steps.join('')}`
}

function queryValue(random: Random): string {
  const value = random.below(2) === 0 ? random.pick(texts) : JSON.stringify(hostileValue(random, 4))
  return value.slice(0, 3000)
}

function hostileBody(random: Random, operation: Operation, method: string): Pick<HostileRequest, 'headers' | 'body'> {
  if (method === 'GET') return { headers: {}, body: null }
  const type =
    random.below(10) > 0
      ? 'application/json'
      : random.pick(['text/plain', 'multipart/form-data', 'application/xml', ''])
  const value = method === 'SEARCH' ? { query: hostileValue(random, 4) } : bodyValue(random, operation)
  const text = JSON.stringify(value)
  const body = random.below(15) === 0 ? text.slice(0, random.below(text.length)) : text
  return { headers: type === '' ? {} : { 'content-type': type }, body }
}

function bodyValue(random: Random, operation: Operation): unknown {
  const examples = operation.body?.examples ?? []
  if (examples.length === 0 || random.below(3) === 0) return hostileValue(random, 5)
  const good = random.pick(examples).value
  if (typeof good !== 'object' || good === null || Array.isArray(good)) return [hostileValue(random, 4)]
  const key = random.below(2) === 0 ? random.pick(Object.keys(good)) : random.pick(keys)
  return { ...good, [key]: hostileValue(random, 4) }
}
