/** The retirement of this generation: headers that announce it, and the operations that replace it. */
import type { Successors } from '../domain/ports/operation.ts'
import { successors } from '../generated/successors.ts'
import type { Retirement, RetirementDates } from '../http/app/generation.ts'
import { json } from '../http/reply/reply.ts'

const existing: Successors = successors

export const retirement: Retirement = {
  stays: (operationId) => existing[operationId]?.stays === true,

  announce(request, operationId, dates) {
    const path = successorPath(request.path, operationId)
    const next = path === null ? [] : [`<${request.origin}${path}>; rel="successor-version"`]
    return {
      ...datesOf(dates),
      link: [...next, `<${request.origin}/docs/>; rel="deprecation"; type="text/html"`].join(', '),
    }
  },

  refuse(request, operationId) {
    const { operations = [], changes = '' } = existing[operationId] ?? {}
    const instead = operations.map(({ method, path }) => `${method} ${path}`).join(' or ')
    const advice = instead === '' ? '' : ` Use ${instead} of the current API. ${changes}`
    const message = `The version 8 API is turned off.${advice} Its successor is described at ${request.origin}/docs/`
    return json({ error: { code: 5, message } }, 410)
  },
}

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
function datesOf({ since, sunset }: RetirementDates): { readonly [header: string]: string } {
  const deprecation = `@${Math.floor(since.getTime() / 1000)}`
  return sunset === null ? { deprecation } : { deprecation, sunset: sunset.toUTCString() }
}

/**
 * The path of the first current operation, filled in as far as both generations have the same names and keys. The rest
 * of the path is left out: users, roles, files and folders have other keys there.
 * @example successorPath('/_/items/articles/5', 'readItem') // /items/articles/5
 */
export function successorPath(path: string, operationId: string): string | null {
  const { called = '', operations = [] } = existing[operationId] ?? {}
  const [first] = operations
  if (first === undefined) return null
  const input = valuesIn(path, called.replace(/^\S+ /, ''))
  const filled: string[] = []
  for (const segment of first.path.split('/').slice(1)) {
    const name = /^\{(.+)\}$/.exec(segment)?.[1]
    const value = name === undefined ? segment : sameIn(first.path, name) ? input.get(name) : undefined
    if (value === undefined || value.includes(',')) break
    filled.push(value)
  }
  return `/${filled.join('/')}`
}

/** Whether the parameter has the same values in both generations. */
const sameIn = (path: string, name: string): boolean =>
  name === 'collection' || name === 'field' || (name === 'id' && path.startsWith('/items/'))

/** The parameters of a path, as they were sent. */
function valuesIn(path: string, template: string): ReadonlyMap<string, string> {
  const sent = path.split('/')
  return new Map(
    template.split('/').flatMap((segment, at) => {
      const name = /^\{(.+)\}$/.exec(segment)?.[1]
      const value = sent[at]
      return name === undefined || value === undefined || !/^[\w.~%!$&'()*+,;=:@-]+$/.test(value) ? [] : [[name, value]]
    }),
  )
}
