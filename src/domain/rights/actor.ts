/** The actor of a request. There is always one: null never means "unrestricted". */
import type { Filter, Literal, Value } from '../query/filter.ts'

export type Actor =
  /** Internal work of the server (migrations, look-ups at login). Never created from a request. */
  | { readonly kind: 'system' }
  /** A request without credentials. */
  | { readonly kind: 'public'; readonly access: Access }
  | {
      readonly kind: 'user'
      readonly user: string
      /** Id of the user's role; null when the user has none. */
      readonly role: string | null
      /** The role and its ancestors, nearest first. */
      readonly roles: readonly string[]
      readonly access: Access
      /** Id of the session that the token names; null for a static token. */
      readonly session: string | null
      /** The API key of the request. Absent for sessions and static tokens. */
      readonly key?: ApiKey
    }
  /** The visitor of a share link: may read one item and related items. */
  | {
      readonly kind: 'share'
      readonly share: string
      /** Id of the role that limits the share; null for the public role. */
      readonly role: string | null
      readonly access: Access
      /** Id of the session that the token names. */
      readonly session: string
    }

/** An API key, with its own limits per window; null = those of the settings. */
export type ApiKey = {
  readonly id: string
  /** What the key is for. */
  readonly name: string
  readonly requests: number | null
  readonly cost: number | null
  /** When it ends, in milliseconds since 1970; null = never. */
  readonly expires: number | null
  /** Whether it has only some policies of its user. */
  readonly isPartial: boolean
}

/** What the API key of a request may still do in its window. */
export type Allowance = {
  /** Adds the cost of a read or a write, in estimated cells. */
  readonly spend: (cells: number) => void
  /** Resolves when the cost is counted, and the answer has headers about the rest. */
  readonly settle: () => Promise<void>
}

/** The union of the rights that the actor's policies grant. */
export type Access = {
  /** Admins are exempt from rules. Validation and presets of fields still apply. */
  readonly admin: boolean
  /** May use the application; adds the rules of `authz/app-rules.ts`. */
  readonly app: boolean
  readonly policies: readonly string[]
  readonly rules: readonly Rule[]
  /** Set while the user must set up a second factor before doing anything else. */
  readonly awaitsSecondFactor?: true
  /** Comments that writes must come with; absent if none. */
  readonly demands?: readonly Demand[]
  /** Equal for equal rules; part of every key of the compile cache. */
  readonly fingerprint: string
}

/** Of a collection: when a write needs a comment, and which comments on its items may be written. */
export type Demand = {
  readonly collection: string
  /** The status of the items that it is about; null = any. */
  readonly status: string | null
  readonly explain: string | null
  readonly comment: string | null
  /** What the role may do with its own items alone, or with those of its users. */
  readonly owned: readonly Action[]
}

export type Action = 'create' | 'read' | 'update' | 'delete' | 'share'

export type Rule = {
  readonly collection: string
  readonly action: Action
  /** `*` or core field names. */
  readonly fields: '*' | readonly string[]
  /** The rows that the rule covers. Ignored for `create`. */
  readonly filter: Filter
  /** Validation of the payload of a write; null = none. */
  readonly validation: Filter | null
  /** Default values of the payload of a write. */
  readonly presets: { readonly [field: string]: Value | Literal | readonly Literal[] } | null
}

/** How a token is renewed without a refresh token. A token without this property cannot be renewed. */
export type Renewal = 'session-cookie' | 'temporary' | 'prolonged-cookie'

/** The credentials of a request, before the actor is loaded. */
export type Credentials =
  | { readonly kind: 'none' }
  /** An access token whose signature, issuer, purpose and expiry have been verified. */
  | { readonly kind: 'session'; readonly session: string; readonly renewal?: Renewal }
  | { readonly kind: 'static'; readonly token: string }
