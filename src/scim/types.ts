/** Resources and messages of SCIM, as both generations describe them (RFC 7643, RFC 7644). */

type Reference = { value?: string; display?: string; type?: string; [other: string]: unknown }

type Resource = {
  schemas: string[]
  id: string
  externalId?: string
  displayName?: string
  meta?: { resourceType?: string; location?: string; version?: string }
}

export type ScimUser = Resource & {
  userName?: string
  active?: boolean
  emails?: { value?: string; type?: string; primary?: boolean }[]
  groups?: Reference[]
  name?: { familyName?: string; givenName?: string }
  title?: string
  locale?: string
  timezone?: string
}

export type ScimGroup = Resource & { members?: Reference[] }

export type Operation = { readonly op: string; readonly path?: string | null; readonly value?: unknown }

export type ScimUserInput = { readonly userName: string; readonly emails?: unknown; readonly [other: string]: unknown }

export type ScimChanges = { readonly Operations?: readonly Operation[]; readonly [other: string]: unknown }

export type ScimGroupInput = {
  readonly displayName: string
  readonly externalId?: string | null
  readonly id?: string | null
  readonly members?: unknown
  readonly [other: string]: unknown
}

/** The resources that describe SCIM itself. */
export type Document = { [name: string]: unknown }
