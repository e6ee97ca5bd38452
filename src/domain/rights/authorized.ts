/** The type-level proof of authorization. Only `authz/authorize.ts` makes it, and `sql/` requires it. */
declare const proof: unique symbol

export type Authorized<T> = T & { readonly [proof]: true }
