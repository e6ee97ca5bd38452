/** Differences between two OpenAPI documents, by operation. */
import { follow, type JsonSchema, type Node } from '../spec/document.ts'
import type { Change } from './change.ts'
import { compareSchemas, type Direction, type SchemaChange } from './schemas.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options', 'head'] as const

type Operation = {
  readonly title: string
  readonly id: string
  readonly node: Node
  readonly parameters: ReadonlyMap<string, Node>
}
type Both = { readonly before: Node; readonly after: Node }

export function compareOpenapi(before: Node, after: Node): readonly Change[] {
  const [old, now] = [operationsOf(before), operationsOf(after)]
  return [
    ...[...old].flatMap(([key, operation]) => {
      const other = now.get(key)
      return other === undefined
        ? [change(operation, { text: 'the operation is removed', isBreaking: true })]
        : compareOperation({ before, after }, operation, other)
    }),
    ...[...now].flatMap(([key, operation]) =>
      old.has(key) ? [] : [change(operation, { text: 'the operation is new', isBreaking: false })],
    ),
  ]
}

/** Names of path parameters do not count. */
function operationsOf(root: Node): ReadonlyMap<string, Operation> {
  const paths = Object.entries((root['paths'] ?? {}) as { readonly [path: string]: Node })
  return new Map(
    paths.flatMap(([path, item]) =>
      methods
        .filter((method) => method in item)
        .map((method) => {
          const node = item[method] as Node
          const title = `${method.toUpperCase()} ${path}`
          const listed = [
            ...((item['parameters'] ?? []) as readonly unknown[]),
            ...((node['parameters'] ?? []) as readonly unknown[]),
          ]
          const parameters = new Map(
            listed.map((each) => {
              const found = follow(root, each)
              return [`${String(found['in'])} parameter ${String(found['name'])}`, found] as const
            }),
          )
          const id = typeof node['operationId'] === 'string' ? node['operationId'] : title
          return [title.replaceAll(/\{[^}]+\}/g, '{}'), { title, id, node, parameters }] as const
        }),
    ),
  )
}

type Finding = { readonly text: string; readonly isBreaking: boolean; readonly type?: string }

const change = ({ title, id }: Operation, { text, isBreaking, type }: Finding): Change => ({
  isBreaking,
  operation: title,
  text,
  sdk: { method: id, type: type ?? `operations['${id}']` },
})

function compareOperation(roots: Both, old: Operation, now: Operation): readonly Change[] {
  return [
    ...(old.id === now.id ? [] : [{ text: `the operation is called ${now.id}`, isBreaking: true }]),
    ...compareParameters(roots, old, now),
    ...compareBodies(roots, old, now),
    ...compareResponses(roots, old, now),
  ].map((finding) => change(old, finding))
}

const isPath = (name: string): boolean => name.startsWith('path ')

function compareParameters(roots: Both, old: Operation, now: Operation): readonly Finding[] {
  const removed = [...old.parameters.keys()].filter((name) => !now.parameters.has(name) && !isPath(name))
  return [
    ...removed.map((name) => ({ text: `the ${name} is removed`, isBreaking: true })),
    ...[...now.parameters].flatMap(([name, parameter]) => {
      const other = old.parameters.get(name)
      const isRequired = parameter['required'] === true
      if (other === undefined) {
        return isPath(name)
          ? []
          : [{ text: `the ${name} is new${isRequired ? ' and required' : ''}`, isBreaking: isRequired }]
      }
      const required =
        isRequired && other['required'] !== true ? [{ text: `the ${name} is required`, isBreaking: true }] : []
      const pair = { before: (other['schema'] ?? {}) as JsonSchema, after: (parameter['schema'] ?? {}) as JsonSchema }
      const type = `operations['${old.id}']['parameters']['${String(parameter['in'])}']['${String(parameter['name'])}']`
      return [...required, ...told(`the ${name}`, compareSchemas({ ...roots, direction: 'request' }, pair, type))]
    }),
  ]
}

function compareBodies(roots: Both, old: Operation, now: Operation): readonly Finding[] {
  const [before, after] = [bodyOf(roots.before, old), bodyOf(roots.after, now)]
  if (before === null) return after?.['required'] === true ? [{ text: 'a body is required', isBreaking: true }] : []
  if (after === null) return [{ text: 'the body is removed', isBreaking: true }]
  const required = after['required'] === true && before['required'] !== true
  return [
    ...(required ? [{ text: 'a body is required', isBreaking: true }] : []),
    ...compareContent(roots, {
      before,
      after,
      place: 'the body',
      direction: 'request',
      type: `operations['${old.id}']['requestBody']`,
    }),
  ]
}

const bodyOf = (root: Node, { node }: Operation): Node | null =>
  node['requestBody'] === undefined ? null : follow(root, node['requestBody'])

function compareResponses(roots: Both, old: Operation, now: Operation): readonly Finding[] {
  const [before, after] = [old, now].map(({ node }) => (node['responses'] ?? {}) as Node)
  const won = Object.keys(after ?? {}).filter((status) => !(status in (before ?? {})))
  return [
    ...Object.entries(before ?? {}).flatMap(([status, response]) => {
      const other = after?.[status]
      if (other === undefined) return [{ text: `the status ${status} is removed`, isBreaking: true }]
      const pair = { before: follow(roots.before, response), after: follow(roots.after, other) }
      const type = `operations['${old.id}']['responses'][${status}]`
      return compareContent(roots, { ...pair, place: `the response ${status}`, direction: 'response', type })
    }),
    ...won.map((status) => ({ text: `the status ${status} is new`, isBreaking: false })),
  ]
}

type Content = Both & { readonly place: string; readonly direction: Direction; readonly type: string }

function compareContent(roots: Both, { before, after, place, direction, type }: Content): readonly Finding[] {
  const [old, now] = [before, after].map((node) => (node['content'] ?? {}) as { readonly [media: string]: Node })
  return Object.entries(old ?? {}).flatMap(([media, { schema }]) => {
    const other = now?.[media]
    if (other === undefined) return [{ text: `${place} is no longer ${media}`, isBreaking: true }]
    const pair = {
      before: (schema ?? null) as JsonSchema | null,
      after: (other['schema'] ?? null) as JsonSchema | null,
    }
    return told(place, compareSchemas({ ...roots, direction }, pair, type))
  })
}

const told = (place: string, changes: readonly SchemaChange[]): readonly Finding[] =>
  changes.map(({ path, what, isBreaking, type }) => ({
    text: `${place}${path === '' ? '' : ` ${path.replace(/^\./, '')}`} ${what}`,
    isBreaking,
    ...(type === null ? {} : { type }),
  }))
