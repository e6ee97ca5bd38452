/** The type-level proof of authorization. Only `authz/authorize.ts` makes it, and `sql/` requires it. */
import type { Mutation } from '../query/mutation.ts'

declare const proof: unique symbol

export type Authorized<T> = T & { readonly [proof]: true }

/** An authorized mutation of one kind. */
export type AuthorizedMutation<Kind extends Mutation['kind']> = Authorized<Extract<Mutation, { readonly kind: Kind }>>
