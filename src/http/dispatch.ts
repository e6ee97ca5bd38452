/**
 * Which operation is meant? One look-up by path segment leads to a small express router that holds
 * only the routes of that segment, so the cost does not grow with the specs.
 */
import { type RequestHandler, Router } from 'express'
import type { Route } from '../domain/operation.ts'

/** An operation with everything that serving it takes; `E` is up to the caller. */
export type Endpoint<E> = E & { readonly route: Route }

export type Group<E> = {
  readonly router: Router
  /** The endpoint whose generation answers when nothing in the group fits. */
  readonly first: Endpoint<E>
}

export type Dispatcher<E> = {
  /** The group that a path belongs to, or null. */
  readonly find: (path: string) => Group<E> | null
  /** First segments that no project may be named like. */
  readonly reserved: ReadonlySet<string>
}

export type DispatchOptions<E> = {
  /** In order of precedence: of two endpoints with one method and path the first wins. */
  readonly endpoints: readonly Endpoint<E>[]
  readonly serve: (endpoint: Endpoint<E>, search: boolean) => RequestHandler
  /** Answers a method that the path does not have; `allowed` lists those it has. */
  readonly refuse: (endpoint: Endpoint<E>, allowed: readonly string[]) => RequestHandler
  readonly isProject: (key: string) => boolean
}

/** Sorts the endpoints into groups: by first segment, or by the second where the first is a parameter. */
export const createDispatcher = <E>(options: DispatchOptions<E>): Dispatcher<E> => {
  const first = new Map<string, Endpoint<E>[]>()
  const second = new Map<string, Endpoint<E>[]>()
  for (const endpoint of options.endpoints) {
    const [head = '', next = ''] = segmentsOf(endpoint.route.path)
    const [groups, key] = head.startsWith('{') ? [second, next] : [first, head]
    groups.set(key, [...(groups.get(key) ?? []), endpoint])
  }
  const byFirst = new Map([...first].map(([key, endpoints]) => [key, createGroup(endpoints, options)]))
  const bySecond = new Map([...second].map(([key, endpoints]) => [key, createGroup(endpoints, options)]))
  return {
    reserved: new Set(byFirst.keys()),
    find: (path) => {
      const [head = '', next = ''] = segmentsOf(path)
      if (head === '' && path !== '/') return null
      const group = byFirst.get(head)
      if (group !== undefined) return group
      // A lone segment is a project's own page only if there is such a project.
      return next === '' && !options.isProject(head) ? null : (bySecond.get(next) ?? null)
    },
  }
}

const segmentsOf = (path: string): readonly string[] => path.slice(1).toLowerCase().split('/', 2)

const createGroup = <E>(endpoints: readonly Endpoint<E>[], options: DispatchOptions<E>): Group<E> => {
  const router = Router()
  const byPath = Map.groupBy(inOrder(endpoints), ({ route }) => expressPath(route.path))
  for (const [path, same] of byPath) {
    const at = router.route(path)
    for (const endpoint of same) {
      at[endpoint.route.method.toLowerCase() as 'get'](options.serve(endpoint, false))
      if (endpoint.route.search) at.search(options.serve(endpoint, true))
    }
    at.all(options.refuse(same[0] as Endpoint<E>, allowedMethods(same.map(({ route }) => route))))
  }
  return { router, first: endpoints[0] as Endpoint<E> }
}

/** Fixed segments before parameters: `/users/me` is not a user whose key is "me". Stable, so precedence stays. */
const inOrder = <E>(endpoints: readonly Endpoint<E>[]): readonly Endpoint<E>[] =>
  endpoints.toSorted((a, b) =>
    sortKey(a.route.path) < sortKey(b.route.path) ? -1 : sortKey(a.route.path) > sortKey(b.route.path) ? 1 : 0,
  )

const sortKey = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '~')

/** Parameters are numbered, so that generations may name one position differently. */
const expressPath = (path: string): string => {
  const withoutSlash = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  let count = 0
  return withoutSlash.replaceAll(/\{[^}]+\}/g, () => `:p${count++}`)
}

const allowedMethods = (routes: readonly Route[]): readonly string[] => [
  ...new Set(
    routes.flatMap(({ method, search }) => [
      method,
      ...(method === 'GET' ? ['HEAD'] : []),
      ...(search ? ['SEARCH'] : []),
    ]),
  ),
]

/** The route's own names for what express matched, in order. */
export const parameterNames = (route: Route): readonly string[] =>
  [...route.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)

/** Express numbers the parameters; the route names them. */
export const namePath = (
  names: readonly string[],
  params: { readonly [name: string]: unknown },
): { readonly [name: string]: string } => {
  const path: { [name: string]: string } = {}
  for (let at = 0; at < names.length; at += 1) path[names[at] as string] = String(params[`p${at}`])
  return path
}
