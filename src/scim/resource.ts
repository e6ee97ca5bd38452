/** Common parts of users and groups as SCIM resources. */
import type { Context } from '../domain/ports/context.ts'
import { hashText } from '../domain/schema/hash-text.ts'
import type { HttpRequest } from '../http/request/request.ts'
import { ScimError } from './errors.ts'
import type { ScimGroup, ScimUser } from './types.ts'

/** Resources on a page, at most and by default. */
export const mostPerPage = 200

/** Where resources are; `base` is the path of SCIM. */
export type ScimContext = { readonly ctx: Context; readonly request: HttpRequest; readonly base: string }

export const addressOf = ({ request, base }: ScimContext, ...path: readonly string[]): string =>
  [`${request.origin}${base}`, ...path.map(encodeURIComponent)].join('/')

/** URN of a core schema. */
export const urnOf = (name: string): string => `urn:ietf:params:scim:schemas:core:2.0:${name}`

/** The parts of a resource that the caller asks for. */
export type AttributeSelection = { readonly attributes?: string; readonly excludedAttributes?: string }

/** Whether an attribute is to be returned. Parts of attributes stand for all of them. */
export function wantedBy({ attributes, excludedAttributes }: AttributeSelection): (name: string) => boolean {
  const named = namesIn(attributes)
  const excluded = namesIn(excludedAttributes)
  return (name) =>
    required.has(name) || (named.size > 0 ? named.has(name.toLowerCase()) : !excluded.has(name.toLowerCase()))
}

const required: ReadonlySet<string> = new Set(['id', 'schemas'])

const namesIn = (list: string | undefined): ReadonlySet<string> =>
  new Set(
    (list ?? '').split(',').flatMap((each) => {
      const name =
        each
          .trim()
          .toLowerCase()
          .replace(/^urn:.*:/, '')
          .split('.', 1)[0] ?? ''
      return name === '' ? [] : [name]
    }),
  )

/** Attributes of a resource; those that are undefined or not wanted are left out. */
type Attributes = { readonly [name: string]: unknown }

/** The resource with its `schemas` and `meta`. */
export function toResource(
  site: ScimContext,
  type: 'User' | 'Group',
  { id, ...attributes }: Attributes & { readonly id: string },
  wants: (name: string) => boolean,
): ScimUser & ScimGroup {
  const shown = Object.entries(attributes).filter(([name, value]) => value !== undefined && wants(name))
  const meta = {
    resourceType: type,
    location: addressOf(site, `${type}s`, id),
    version: `W/"${hashText(JSON.stringify([id, ...shown]))}"`,
  }
  return { schemas: [urnOf(type)], id, ...Object.fromEntries(shown), ...(wants('meta') ? { meta } : {}) }
}

/**
 * The new external id; undefined if it stays. An identity provider can set it once, in the place of the uuid of the row,
 * because it is the id of the resource. `before` is empty where the caller may not read it.
 */
export function newExternal({ id, before, isFree = false }: StoredResource, input: unknown): string | undefined {
  const wanted = textOf(input, 'externalId')
  if (wanted === undefined || wanted === null || wanted === before) return undefined
  if (before == null || before === id || isFree) return wanted
  const reason = 'Expected the known value for "externalId", which cannot be changed, but received another one'
  throw new ScimError('mutability', 'externalId', reason)
}

/** `isFree`: the external id is not the id, so that it may change at any time. */
type StoredResource = { readonly id: unknown; readonly before: unknown; readonly isFree?: boolean }

/** A text or null; undefined if absent. */
export function textOf(value: unknown, name: string): string | null | undefined {
  if (value === undefined || value === null || typeof value === 'string') return value
  throw invalidValue(name, 'a text', value)
}

/** The error for a value of the wrong type. */
export function invalidValue(name: string, expected: string, value: unknown): ScimError {
  const received = Array.isArray(value) ? 'a list' : typeof value === 'string' ? JSON.stringify(value) : typeof value
  return new ScimError('invalidValue', name, `Expected ${expected} for "${name}" but received ${received}`)
}
