/** Differences between the ways of authentication that an operation takes. */
import type { Node } from '../spec/document.ts'
import type { Both, Finding } from './findings.ts'

/** One way: the schemes that it needs together, with their scopes. */
type Way = { readonly [scheme: string]: readonly string[] }

/** Each way that is no longer enough breaks those who use it. */
export function compareSecurity(roots: Both, old: Node, now: Node): readonly Finding[] {
  const [before, after] = [waysOf(roots.before, old), waysOf(roots.after, now)]
  const lost = before.filter((way) => !after.some((other) => isEnough(way, other)))
  const won = after.filter((way) => !before.some((other) => isEnough(way, other)))
  const common = new Set(before.filter((way) => after.some((other) => isEnough(way, other))).flatMap(Object.keys))
  return [
    ...[...common].flatMap((scheme) => compareScheme(roots, scheme)),
    ...lost.map((way): Finding => ({ text: `${nameOf(way)} is no longer enough`, severity: 'breaking' })),
    ...(lost.length > 0 ? [] : won.map((way): Finding => ({ text: `${nameOf(way)} is enough`, severity: 'safe' }))),
  ]
}

/** Without requirements, nothing is needed. */
function waysOf(root: Node, operation: Node): readonly Way[] {
  const input = (operation['security'] ?? root['security'] ?? []) as readonly Way[]
  return input.length === 0 ? [{}] : input
}

/** Whether who has `way` passes `needed`. */
const isEnough = (way: Way, needed: Way): boolean =>
  Object.entries(needed).every(
    ([scheme, scopes]) => scopes.every((each) => way[scheme]?.includes(each)) && scheme in way,
  )

/** How a scheme is sent, and where its tokens come from. */
function compareScheme({ before, after }: Both, name: string): readonly Finding[] {
  const [old, now] = [before, after].map((root) => schemeOf(root, name))
  if (old === undefined || now === undefined) return []
  const isOther = (keys: readonly string[]): boolean => keys.some((key) => flat(old[key]) !== flat(now[key]))
  if (isOther(['type', 'scheme', 'in', 'name']))
    return [{ text: `authentication by ${name} is sent in another way`, severity: 'breaking' }]
  return isOther(['flows', 'openIdConnectUrl'])
    ? [{ text: `authentication by ${name} has other addresses or scopes`, severity: 'perhaps' }]
    : []
}

const schemeOf = (root: Node, name: string): Node | undefined => {
  const { securitySchemes = {} } = (root['components'] ?? {}) as { securitySchemes?: { [scheme: string]: Node } }
  return securitySchemes[name]
}

const flat = (value: unknown): string => JSON.stringify(value ?? null)

const nameOf = (way: Way): string => {
  const schemes = Object.entries(way).map(([name, scopes]) =>
    scopes.length === 0 ? name : `${name} (${scopes.join(', ')})`,
  )
  return schemes.length === 0 ? 'no authentication' : `authentication by ${schemes.join(' and ')}`
}
