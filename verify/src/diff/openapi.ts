/** Differences between two OpenAPI documents, by operation. */

import { follow, type JsonSchema, type Node } from '../spec/document.ts'
import type { Change } from './change.ts'
import {
  type Both,
  compareContent,
  type Finding,
  findingIf,
  findingsOf,
  type Operation,
  removalOf,
} from './findings.ts'
import { compareSchemas } from './schemas.ts'
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
              const parameter = follow(root, each)
              return [`${String(parameter['in'])} parameter ${String(parameter['name'])}`, parameter] as const
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
  location: { operation: id, called: title, path: path ?? null, access: access ?? 'any' },
  clients: null,
})

function compareOperation(roots: Both, old: Operation, now: Operation): readonly Change[] {
  return [
    ...findingIf(old.id !== now.id, `the operation is called ${now.id}`, 'breaking'),
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
    ...findingIf(now['deprecated'] === true && old['deprecated'] !== true, 'the operation is deprecated', 'safe'),
    ...findingIf(isEarlier, 'the operation ends earlier than announced', 'perhaps'),
  ]
}

function compareBodies(roots: Both, old: Operation, now: Operation): readonly Finding[] {
  const [before, after] = [bodyOf(roots.before, old), bodyOf(roots.after, now)]
  if (before === null) return after?.['required'] === true ? [{ text: 'a body is required', severity: 'breaking' }] : []
  if (after === null) return [{ text: 'the body is removed', severity: 'breaking' }]
  const required = after['required'] === true && before['required'] !== true
  return [
    ...findingIf(required, 'a body is required', 'breaking'),
    ...compareContent(roots, {
      before,
      after,
      part: 'the body',
      direction: 'request',
      type: `operations['${old.id}']['requestBody']`,
    }),
  ]
}

const bodyOf = (root: Node, { node }: Operation): Node | null =>
  node['requestBody'] === undefined ? null : follow(root, node['requestBody'])

/** Differences between the parameters of an operation. */
const isPath = (name: string): boolean => name.startsWith('path ')

function compareParameters(roots: Both, old: Operation, now: Operation): readonly Finding[] {
  const removed = [...old.parameters].filter(([name]) => !now.parameters.has(name) && !isPath(name))
  return [
    ...removed.map(([name, node]): Finding => ({ text: `the ${name} is removed`, severity: removalOf(node) })),
    ...[...now.parameters].flatMap(([name, parameter]): readonly Finding[] => {
      const other = old.parameters.get(name)
      if (other !== undefined) return compareParameter(roots, { name, id: old.id }, { before: other, after: parameter })
      if (isPath(name)) return []
      const isRequired = parameter['required'] === true
      const text = `the ${name} is new${isRequired ? ' and required' : ''}`
      return [{ text, severity: isRequired ? 'breaking' : 'safe' }]
    }),
  ]
}

/** How values of lists and objects are written. */
const spelling = ['style', 'explode', 'content'] as const

function compareParameter(
  roots: Both,
  { name, id }: { readonly name: string; readonly id: string },
  { before, after }: Both,
): readonly Finding[] {
  const pair = { before: (before['schema'] ?? {}) as JsonSchema, after: (after['schema'] ?? {}) as JsonSchema }
  const type = `operations['${id}']['parameters']['${String(after['in'])}']['${String(after['name'])}']`
  const isRequired = after['required'] === true && before['required'] !== true
  const isSpelled = spelling.some((each) => keyword(before, each) !== keyword(after, each))
  const isAlwaysSent = before['required'] === true && after['required'] === true
  return [
    ...findingIf(isRequired, `the ${name} is required`, 'breaking'),
    ...findingIf(after['required'] !== true && before['required'] === true, `the ${name} is optional`, 'safe'),
    ...findingIf(isSpelled, `the ${name} is written in another style`, 'breaking'),
    ...findingsOf(`the ${name}`, compareSchemas({ ...roots, direction: 'request' }, pair, type))
      .filter(({ text }) => !isAlwaysSent || !text.endsWith(' by default'))
      .map(withoutPath),
  ]
}

const keyword = (node: Node, name: string): string =>
  name === 'content' ? Object.keys(node[name] ?? {}).join() : JSON.stringify(node[name] ?? '')

/** A property of a parameter is no field of an item. */
const withoutPath = ({ path: _path, ...finding }: Finding): Finding => finding

/** Differences between the responses of an operation: statuses, headers and contents. */
function compareResponses(roots: Both, old: Operation, now: Operation): readonly Finding[] {
  const [before, after] = [old, now].map(({ node }) => (node['responses'] ?? {}) as Node)
  const won = Object.keys(after ?? {}).filter((status) => !(status in (before ?? {})))
  return [
    ...Object.entries(before ?? {}).flatMap(([status, response]): readonly Finding[] => {
      const other = after?.[status]
      // Clients that expect an error get another one.
      const severity = /^[23]/.test(status) ? 'breaking' : 'perhaps'
      if (other === undefined) return [{ text: `the status ${status} is removed`, severity }]
      const pair = { before: follow(roots.before, response), after: follow(roots.after, other) }
      const type = `operations['${old.id}']['responses'][${status}]`
      const part = `the response ${status}`
      return [
        ...compareHeaders(roots, { ...pair, part, type }),
        ...compareContent(roots, { ...pair, part, direction: 'response', type }),
      ]
    }),
    ...won.map((status): Finding => ({ text: `the status ${status} is new`, severity: 'safe' })),
  ]
}

type Headers = Both & { readonly part: string; readonly type: string }

function compareHeaders(roots: Both, { before, after, part, type }: Headers): readonly Finding[] {
  const [old, now] = [before, after].map((node) => (node['headers'] ?? {}) as { readonly [name: string]: unknown })
  return Object.entries(old ?? {}).flatMap(([name, input]): readonly Finding[] => {
    const was = follow(roots.before, input)
    const other = Object.entries(now ?? {}).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1]
    const wasRequired = was['required'] === true
    if (other === undefined)
      return [{ text: `${part} loses the header ${name}`, severity: wasRequired ? 'breaking' : 'perhaps' }]
    const is = follow(roots.after, other)
    const pair = { before: (was['schema'] ?? {}) as JsonSchema, after: (is['schema'] ?? {}) as JsonSchema }
    return [
      ...findingIf(wasRequired && is['required'] !== true, `${part} may be without the header ${name}`, 'breaking'),
      ...findingsOf(`${part} header ${name}`, compareSchemas({ ...roots, direction: 'response' }, pair, type)).map(
        withoutPath,
      ),
    ]
  })
}
