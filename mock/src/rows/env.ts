/** What the evaluation of a query reads from. */
import type { StoreContext } from '../../../src/domain/ports/row-store.ts'
import type { Tables } from './tables.ts'

export type Env = StoreContext & { readonly tables: Tables; readonly uuid: () => string }
