/** What the server explains of rights. */
import type { Row } from '../client.ts'
import type { Action } from '../model/model.ts'

export type Rule = {
  /** The permission behind the rule, if it is one. */
  readonly permission?: number
  readonly name: string
  readonly grants: boolean
  readonly fields: readonly string[]
  readonly rows: string
}

export type Explained = {
  readonly action: Action
  readonly granted: boolean
  readonly causes: readonly { readonly code: string; readonly message: string }[]
  readonly rules: readonly Rule[]
  readonly rows: { readonly text: string } | null
  readonly fields: readonly { readonly field: string }[]
}

export type Explanation = {
  readonly user: { readonly id: string; readonly email: string | null } | null
  readonly roles: readonly { readonly id: string; readonly name: string }[]
  readonly policies: readonly {
    readonly id: string
    readonly name: string
    readonly admin_access: boolean
    readonly app_access: boolean
    readonly through: readonly string[]
  }[]
  readonly levels: readonly Row[]
  readonly collection: string
  readonly actions: readonly Explained[]
}
