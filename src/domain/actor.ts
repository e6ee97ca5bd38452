/** Who asks. "No actor" cannot be expressed, and nothing here is ever null to mean "everything". */
import type { Filter, Literal, Value } from './filter.ts'

export type Actor =
  /** Our own bookkeeping (migrations, login look-ups). Never made from a request. */
  | { readonly kind: 'system' }
  /** A request without credentials. */
  | { readonly kind: 'public'; readonly access: Access }
  | {
      readonly kind: 'user'
      /** uuid of the user. */
      readonly user: string
      /** uuid; null when the user has no role. */
      readonly role: string | null
      /** The role and its ancestors, nearest first. */
      readonly roles: readonly string[]
      readonly access: Access
      /** uuid of the session that the token names; null for a static token. */
      readonly session: string | null
    }
  /** Who has come by a share: its access is one item and what is around it, to read. */
  | {
      readonly kind: 'share'
      /** uuid of the share. */
      readonly share: string
      /** uuid of the role whose rights it is cut out of; null for the public's. */
      readonly role: string | null
      readonly access: Access
      /** uuid of the session that the token names. */
      readonly session: string
    }

/** The union of what an actor's policies grant. */
export type Access = {
  /** Admins are not limited by rules (validation and presets of fields still apply). */
  readonly admin: boolean
  /** May use the application: brings the minimal rules with it. */
  readonly app: boolean
  readonly policies: readonly string[]
  readonly rules: readonly Rule[]
  /** Present while its holder has to set a second factor up before anything else. */
  readonly awaitsSecondFactor?: true
  /** Equal for equal rule sets; part of every compile-cache key. */
  readonly fingerprint: string
}

export type Action = 'create' | 'read' | 'update' | 'delete' | 'share'

export type Rule = {
  readonly collection: string
  readonly action: Action
  /** `*` or core field names. */
  readonly fields: '*' | readonly string[]
  /** Rows it covers. Ignored for `create`. */
  readonly filter: Filter
  /** Condition on the payload of a write; null = none. */
  readonly validation: Filter | null
  /** Values merged under the payload of a write. */
  readonly presets: { readonly [field: string]: Value | Literal | readonly Literal[] } | null
}

/** What a request carried, before anybody looked it up. */
export type Credentials =
  | { readonly kind: 'none' }
  /** A signed access token whose signature, issuer, purpose and expiry were checked. */
  | { readonly kind: 'session'; readonly session: string }
  /** A user's static token. */
  | { readonly kind: 'static'; readonly token: string }
