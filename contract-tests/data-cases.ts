/** Cases that depend on the data of the world. */
import { accepted, bodyOf, type Case, good, isObject, refused, spellings, toCase } from '../verify/src/cases/case.ts'
import { isAlone } from '../verify/src/cases/parameter-cases.ts'
import { toPairs } from '../verify/src/http/query.ts'
import type { GenerationName, Operation } from '../verify/src/spec/operations.ts'
import type { UserKind } from './world.ts'

/** Invalid values for the world's data, and further requests that need the data. */
export type DataFaults = {
  readonly parameters: { readonly [name: string]: readonly ParameterFault[] }
  /** Invalid values of item keys; of one generation, or of both. */
  readonly items: readonly {
    readonly rule: string
    readonly name: string
    readonly value: unknown
    readonly generation?: Operation['generation']
  }[]
  readonly extras: readonly Extra[]
}

type ParameterFault = {
  readonly rule: string
  readonly value: unknown
  /** Where the value is invalid; absent = everywhere. */
  readonly when?: (operation: Operation) => boolean
}

/** A further request of an operation: its difference from the minimal valid request. */
export type Extra = {
  readonly generation: GenerationName
  readonly operation: string
  readonly rule: string
  readonly kind: Case['kind']
  readonly as?: UserKind
  readonly path?: { readonly [name: string]: string }
  readonly query?: { readonly [name: string]: unknown }
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

export type WorldCase = Case & { readonly as: UserKind }

const asAdmin = (...parts: Parameters<typeof toCase>): WorldCase => ({ ...toCase(...parts), as: 'admin' })

export function dataCases(operation: Operation, faults: DataFaults): readonly WorldCase[] {
  const parameters = operation.parameters.flatMap((parameter) =>
    (faults.parameters[parameter.name] ?? [])
      .filter(({ when }) => when?.(operation) ?? !isAlone(operation, parameter.name))
      .flatMap(({ rule, value }) =>
        spellings(operation, parameter, value).map(([spelling, draft]) =>
          asAdmin(operation, draft, { ...refused, rule: `${parameter.name}: ${rule}${spelling}`, needsData: true }),
        ),
      ),
  )
  const extras = faults.extras.filter(
    (each) => each.generation === operation.generation && each.operation === operation.id,
  )
  return [...parameters, ...itemCases(operation, faults), ...extras.map((extra) => extraCase(operation, extra))]
}

function itemCases(operation: Operation, faults: DataFaults): readonly WorldCase[] {
  const plain = good(operation)
  const isJson = operation.body?.mediaTypes[0] === 'application/json'
  if (!operation.path.includes('{collection}') || !isJson || !isObject(plain.body)) return []
  // The fields of an item are unknown properties of a field or a collection.
  if (operation.ignoresUnknown) return []
  return faults.items.flatMap(({ rule, name, value, generation }) => {
    if (generation !== undefined && generation !== operation.generation) return []
    const body = withKey(plain.body, name, value)
    if (body === null) return []
    return [asAdmin(operation, { ...plain, body }, { ...refused, rule: `item: ${rule}`, name, needsData: true })]
  })
}

/** The body with one key of its item replaced; null if it contains no item. */
function withKey(body: unknown, name: string, value: unknown): unknown {
  if (Array.isArray(body)) return isObject(body[0]) ? [{ ...body[0], [name]: value }, ...body.slice(1)] : null
  if (!isObject(body) || 'keys' in body !== 'data' in body) return null
  return 'data' in body ? { ...body, data: { ...(body.data as object), [name]: value } } : { ...body, [name]: value }
}

function extraCase(operation: Operation, extra: Extra): WorldCase {
  const plain = good(operation)
  const draft = {
    ...plain,
    ...('body' in extra ? bodyOf(operation, extra.body) : {}),
    path: { ...plain.path, ...extra.path },
    query: Object.entries(extra.query ?? {}).flatMap(([name, value]) => toPairs(name, value)),
    headers: { ...plain.headers, ...extra.headers },
  }
  const facts = extra.kind === 'positive' ? accepted : refused
  return { ...toCase(operation, draft, { ...facts, rule: extra.rule, needsData: true }), as: extra.as ?? 'admin' }
}
