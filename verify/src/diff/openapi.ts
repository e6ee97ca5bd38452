/** Differences between two OpenAPI documents, by operation. */
import { follow, type Node } from '../spec/document.ts'
import type { Change } from './change.ts'
import { type Both, compareContent, type Finding, type Operation, removalOf } from './findings.ts'
import { compareParameters } from './parameters.ts'
import { compareResponses } from './responses.ts'
import { compareSecurity } from './security.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options', 'head', 'search', 'query', 'trace'] as const

export function compareOpenapi(before: Node, after: Node): readonly Change[] {
  const [old, now] = [operationsOf(before), operationsOf(after)]
  return [
    ...[...old].flatMap(([key, operation]) => {
      const other = now.get(key)
      return other === undefined
        ? [change(operation, { text: 'the operation is removed', severity: removalOf(operation.node) })]
        : compareOperation({ before, after }, operation, other)
    }),
    ...[...now].flatMap(([key, operation]) =>
      old.has(key) ? [] : [change(operation, { text: 'the operation is new', severity: 'safe' })],
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

const change = ({ title, id }: Operation, { text, severity, type, path, access }: Finding): Change => ({
  severity,
  isBreaking: severity === 'breaking',
  operation: title,
  text,
  sdk: { method: id, type: type ?? `operations['${id}']` },
  place: { operation: id, called: title, path: path ?? null, access: access ?? 'any' },
  clients: null,
})

function compareOperation(roots: Both, old: Operation, now: Operation): readonly Change[] {
  return [
    ...(old.id === now.id
      ? []
      : [{ text: `the operation is called ${now.id}`, severity: 'breaking' } satisfies Finding]),
    ...compareDeprecation(old.node, now.node),
    ...compareSecurity(roots, old.node, now.node),
    ...compareParameters(roots, old, now),
    ...compareBodies(roots, old, now),
    ...compareResponses(roots, old, now),
  ].map((finding) => change(old, finding))
}

function compareDeprecation(old: Node, now: Node): readonly Finding[] {
  const [before, after] = [old['x-sunset'], now['x-sunset']]
  // A day that nobody can read counts as earlier.
  const isEarlier = typeof before === 'string' && !(Date.parse(String(after)) >= Date.parse(before))
  return [
    ...(now['deprecated'] === true && old['deprecated'] !== true
      ? [{ text: 'the operation is deprecated', severity: 'safe' } as const]
      : []),
    ...(isEarlier ? [{ text: 'the operation ends earlier than announced', severity: 'perhaps' } as const] : []),
  ]
}

function compareBodies(roots: Both, old: Operation, now: Operation): readonly Finding[] {
  const [before, after] = [bodyOf(roots.before, old), bodyOf(roots.after, now)]
  if (before === null) return after?.['required'] === true ? [{ text: 'a body is required', severity: 'breaking' }] : []
  if (after === null) return [{ text: 'the body is removed', severity: 'breaking' }]
  const required = after['required'] === true && before['required'] !== true
  return [
    ...(required ? [{ text: 'a body is required', severity: 'breaking' } satisfies Finding] : []),
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
