/** The proof that authorization has happened. Only `authz/authorize.ts` makes it; `sql/` accepts nothing else. */
declare const proof: unique symbol

export type Authorized<T> = T & { readonly [proof]: true }
