/**
 * Routing: finds the operation of a request. One look-up by path segment leads to the few paths that begin alike;
 * these are compared segment by segment. The cost does not grow with the size of the specs.
 */
import type { Route } from '../../domain/ports/operation.ts'

/** An operation with the data needed to serve it; `E` is up to the caller. */
export type Endpoint<E> = E & { readonly route: Route }

/** Paths that begin alike. */
export type Group<E> = {
  readonly ways: readonly PathEntry<E>[]
  /** Its generation answers if no path of the group matches. */
  readonly first: Endpoint<E>
}

/** One path and its endpoints by method. */
type PathEntry<E> = {
  /** Lower case; null for a parameter. */
  readonly segments: readonly (string | null)[]
  readonly byMethod: ReadonlyMap<string, Endpoint<E>>
  /** Endpoints of the same method and path that come after the first one. */
  readonly others: readonly { readonly method: string; readonly endpoint: Endpoint<E> }[]
  readonly allowed: readonly string[]
  readonly first: Endpoint<E>
}

/**
 * The result of routing: an operation with its raw parameters in order, or a known path without the requested method.
 */
export type Match<E> = { readonly first: Endpoint<E>; readonly allowed: readonly string[] } & (
  | { readonly endpoint: Endpoint<E>; readonly parameters: readonly string[] }
  | { readonly endpoint: null }
)

export type Dispatcher<E> = {
  /** The group of a path; null if none. */
  readonly find: (path: string) => Group<E> | null
  /** First path segments that cannot be project keys. */
  readonly reserved: ReadonlySet<string>
}

export type DispatchOptions<E> = {
  /** In order of precedence: the first of two endpoints with the same method and path wins, if nothing else decides. */
  readonly endpoints: readonly Endpoint<E>[]
  readonly isProject: (key: string) => boolean
}

/** Groups endpoints by first segment, or by the second one where the first is a parameter. */
export const createDispatcher = <E>(options: DispatchOptions<E>): Dispatcher<E> => {
  const first = new Map<string, Endpoint<E>[]>()
  const second = new Map<string, Endpoint<E>[]>()
  for (const endpoint of options.endpoints) {
    const [head = '', next = ''] = segmentsOf(endpoint.route.path)
    const [groups, key] = isParameter(head) ? [second, next] : [first, head]
    groups.set(key, [...(groups.get(key) ?? []), endpoint])
  }
  const byFirst = new Map([...first].map(([key, endpoints]) => [key, createGroup(endpoints)]))
  const bySecond = new Map([...second].map(([key, endpoints]) => [key, createGroup(endpoints)]))
  return {
    reserved: new Set(byFirst.keys()),
    find: (path) => {
      const [head = '', next = ''] = path.slice(1).toLowerCase().split('/', 2)
      if (head === '' && path !== '/') return null
      const group = byFirst.get(head)
      if (group !== undefined) return group
      // Paths below a project belong to its generation, even if they match no operation.
      if (options.isProject(head)) return bySecond.get(next) ?? bySecond.get('') ?? null
      return next === '' ? null : (bySecond.get(next) ?? null)
    },
  }
}

/** Splits a path, ignoring a slash at its end. */
const segmentsOf = (path: string): readonly string[] =>
  (path.length > 1 && path.endsWith('/') ? path.slice(1, -1) : path.slice(1)).split('/')

const isParameter = (segment: string): boolean => segment.startsWith('{')

const createGroup = <E>(endpoints: readonly Endpoint<E>[]): Group<E> => {
  const byPath = Map.groupBy(fixedSegmentsFirst(endpoints), ({ route }) => withoutNames(route.path))
  return { ways: [...byPath.values()].map(createWay), first: endpoints[0] as Endpoint<E> }
}

const createWay = <E>(endpoints: readonly Endpoint<E>[]): PathEntry<E> => {
  const first = endpoints[0] as Endpoint<E>
  const byMethod = new Map<string, Endpoint<E>>()
  const others: { method: string; endpoint: Endpoint<E> }[] = []
  for (const endpoint of endpoints) {
    const { method, search } = endpoint.route
    for (const each of [method, ...(method === 'GET' ? ['HEAD'] : []), ...(search ? ['SEARCH'] : [])]) {
      if (byMethod.has(each)) others.push({ method: each, endpoint })
      else byMethod.set(each, endpoint)
    }
  }
  const segments = segmentsOf(first.route.path).map((each) => (isParameter(each) ? null : each.toLowerCase()))
  return { segments, byMethod, others, allowed: [...byMethod.keys()], first }
}

/** `/users/me` is not the user with key "me". The sort is stable, so precedence stays. */
const fixedSegmentsFirst = <E>(endpoints: readonly Endpoint<E>[]): readonly Endpoint<E>[] =>
  endpoints.toSorted((a, b) =>
    sortKey(a.route.path) < sortKey(b.route.path) ? -1 : sortKey(a.route.path) > sortKey(b.route.path) ? 1 : 0,
  )

const sortKey = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '~')

/** Generations may name the same parameter differently. */
const withoutNames = (path: string): string => segmentsOf(path.replaceAll(/\{[^}]+\}/g, '{}')).join('/')

type RouteRequest<E> = {
  readonly method: string
  readonly path: string
  /** Whether the request comes from a client of the endpoint's generation; called if several have the same path. */
  readonly isOwn: (endpoint: Endpoint<E>) => boolean
}

/** Finds the operation of a request within a group; null if no path matches. */
export const matchRoute = <E>(group: Group<E>, { method, path, isOwn }: RouteRequest<E>): Match<E> | null => {
  const sent = segmentsOf(path)
  const way = group.ways.find(({ segments }) => fits(segments, sent))
  if (way === undefined) return null
  const { first, byMethod, others, segments, allowed } = way
  const other = others.find((each) => each.method === method && isOwn(each.endpoint))
  const endpoint = other?.endpoint ?? byMethod.get(method)
  if (endpoint === undefined) return { first, allowed, endpoint: null }
  return { first, allowed, endpoint, parameters: sent.filter((_, at) => segments[at] === null) }
}

const fits = (segments: readonly (string | null)[], sent: readonly string[]): boolean => {
  if (segments.length !== sent.length) return false
  for (let at = 0; at < segments.length; at += 1) {
    const own = segments[at]
    const other = sent[at] as string
    if (own === null ? other === '' : own !== other && own !== other.toLowerCase()) return false
  }
  return true
}

/** Parameter names of a route, in order. */
export const parameterNames = (route: Route): readonly string[] =>
  [...route.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)

/** The decoded parameters by name. Throws a URIError for invalid percent-encoding. */
export const namePath = (
  names: readonly string[],
  parameters: readonly string[],
): { readonly [name: string]: string } => {
  const path: { [name: string]: string } = {}
  for (let at = 0; at < names.length; at += 1) {
    const text = parameters[at] as string
    path[names[at] as string] = text.includes('%') ? decodeURIComponent(text) : text
  }
  return path
}
