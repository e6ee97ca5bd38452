/** What the SDK has for each tag of a spec: its list of records, and its methods. */
import { resolveRef } from './bundle.ts'
import type { Generation, Operation, SpecModel } from './model.ts'
import { methodName, operationsWithoutMethods, readOnlyLists, tagsWithoutMethods } from './sdk-methods.ts'
import { type RecordSchema, recordsOf } from './sdk-records.ts'

export type Tag = {
  /** The word in the spec, and the name in the SDK. */
  readonly tag: string
  readonly name: string
  readonly description: string
  /** The list or singleton that the tag is about, if there is one. */
  readonly record: RecordSchema | null
  readonly isSingle: boolean
  readonly isWritten: boolean
  readonly methods: readonly Method[]
}

export type Method = { readonly name: string; readonly operation: Operation; readonly record: RecordForm | null }

/** How a method answers with records: with one, or with a list, narrowed by `fields`. */
export type RecordForm = { readonly record: RecordSchema; readonly form: 'read' | 'list' | 'update' }

/** Path parameters that the client fills in. */
export const filledIn: { readonly [Name in Generation]: ReadonlySet<string> } = {
  current: new Set(),
  legacy: new Set(['project']),
}

export const basePaths: { readonly [Name in Generation]: string } = { current: '/', legacy: '/{project}/' }

export const tagsOf = (spec: SpecModel): readonly Tag[] =>
  spec.document.tags.filter(({ name }) => !tagsWithoutMethods.has(name)).map((tag) => toTag(tag, spec))

function toTag(
  { name: tag, description }: { readonly name: string; readonly description: string },
  spec: SpecModel,
): Tag {
  const path = `${basePaths[spec.generation]}${tag}`
  const own = spec.operations.filter((each) => each.tag === tag)
  const list = own.find((each) => each.path === path && each.method === 'get')
  const record = list === undefined ? null : recordOfAnswer(list, spec)
  const isWritten =
    !readOnlyLists[spec.generation].has(tag) && own.some((each) => each.path === path && each.method === 'patch')
  const isCovered = ({ path: at, method }: Operation): boolean =>
    record !== null &&
    [path, `${path}/{id}`].includes(at) &&
    (isWritten || method === 'get' || spec.generation === 'current')
  const rest = own.filter((each) => !isCovered(each) && !operationsWithoutMethods.has(each.id))
  return {
    tag,
    name: tag.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    description,
    record,
    isSingle: !own.some((each) => each.path === `${path}/{id}`),
    isWritten,
    methods: rest.map((operation) => toMethod(operation, spec)),
  }
}

function toMethod(operation: Operation, spec: SpecModel): Method {
  const name = methodName(spec.generation, operation.id)
  return { name, operation, record: recordFormOf(operation, spec) }
}

/** Envelopes of one record and of several. */
const envelopes = {
  current: { one: 'Envelope', list: 'ListEnvelope' },
  legacy: { one: 'OneEnvelope', list: 'Envelope' },
} as const satisfies { readonly [Name in Generation]: object }

const answerOf = ({ responses }: Operation, { document }: SpecModel): string => {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const schema = answer?.content?.['application/json']?.schema ?? {}
  if (resolveRef(document, schema) === undefined) return ''
  return ((schema as { readonly $ref?: string }).$ref ?? '').replace('#/components/schemas/', '')
}

/** The record that a list or a singleton answers with. */
function recordOfAnswer(operation: Operation, spec: SpecModel): RecordSchema | null {
  const answer = answerOf(operation, spec)
  const ends = Object.values(envelopes[spec.generation])
  return recordsOf(spec).find(({ name }) => ends.some((end) => `${name}${end}` === answer)) ?? null
}

function recordFormOf(operation: Operation, spec: SpecModel): RecordForm | null {
  const isNarrowed = operation.parameters.some((each) => each.in === 'query' && each.name === 'fields')
  const inPath = operation.parameters.filter((each) => each.in === 'path' && !filledIn[spec.generation].has(each.name))
  const record = recordOfAnswer(operation, spec)
  if (!isNarrowed || record === null || inPath.length > 0) return null
  if (operation.method === 'patch') return { record, form: 'update' }
  if (operation.method !== 'get') return null
  const isOne = answerOf(operation, spec) === `${record.name}${envelopes[spec.generation].one}`
  return { record, form: isOne ? 'read' : 'list' }
}
