/** Differences between the parameters of an operation. */
import type { JsonSchema, Node } from '../spec/document.ts'
import { type Both, type Finding, findingsOf, type Operation, removalOf } from './findings.ts'
import { compareSchemas } from './schemas.ts'

const isPath = (name: string): boolean => name.startsWith('path ')

export function compareParameters(roots: Both, old: Operation, now: Operation): readonly Finding[] {
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
    ...(isRequired ? [{ text: `the ${name} is required`, severity: 'breaking' } satisfies Finding] : []),
    ...(after['required'] !== true && before['required'] === true
      ? [{ text: `the ${name} is optional`, severity: 'safe' } satisfies Finding]
      : []),
    ...(isSpelled ? [{ text: `the ${name} is written in another style`, severity: 'breaking' } satisfies Finding] : []),
    ...findingsOf(`the ${name}`, compareSchemas({ ...roots, direction: 'request' }, pair, type))
      .filter(({ text }) => !isAlwaysSent || !text.endsWith(' by default'))
      .map(withoutPath),
  ]
}

const keyword = (node: Node, name: string): string =>
  name === 'content' ? Object.keys(node[name] ?? {}).join() : JSON.stringify(node[name] ?? '')

/** A property of a parameter is no field of an item. */
const withoutPath = ({ path: _path, ...finding }: Finding): Finding => finding
