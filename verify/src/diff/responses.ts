/** Differences between the responses of an operation: statuses, headers and contents. */
import { follow, type JsonSchema, type Node } from '../spec/document.ts'
import { type Both, compareContent, type Finding, findingsOf, type Operation } from './findings.ts'
import { compareSchemas } from './schemas.ts'

export function compareResponses(roots: Both, old: Operation, now: Operation): readonly Finding[] {
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
      const place = `the response ${status}`
      return [
        ...compareHeaders(roots, { ...pair, place, type }),
        ...compareContent(roots, { ...pair, place, direction: 'response', type }),
      ]
    }),
    ...won.map((status): Finding => ({ text: `the status ${status} is new`, severity: 'safe' })),
  ]
}

type Headers = Both & { readonly place: string; readonly type: string }

function compareHeaders(roots: Both, { before, after, place, type }: Headers): readonly Finding[] {
  const [old, now] = [before, after].map((node) => (node['headers'] ?? {}) as { readonly [name: string]: unknown })
  return Object.entries(old ?? {}).flatMap(([name, input]): readonly Finding[] => {
    const was = follow(roots.before, input)
    const other = Object.entries(now ?? {}).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1]
    const wasRequired = was['required'] === true
    if (other === undefined)
      return [{ text: `${place} loses the header ${name}`, severity: wasRequired ? 'breaking' : 'perhaps' }]
    const is = follow(roots.after, other)
    const pair = { before: (was['schema'] ?? {}) as JsonSchema, after: (is['schema'] ?? {}) as JsonSchema }
    return [
      ...(wasRequired && is['required'] !== true
        ? [{ text: `${place} may be without the header ${name}`, severity: 'breaking' } satisfies Finding]
        : []),
      ...findingsOf(`${place} header ${name}`, compareSchemas({ ...roots, direction: 'response' }, pair, type)).map(
        ({ path: _path, ...finding }): Finding => finding,
      ),
    ]
  })
}
