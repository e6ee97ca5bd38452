/** What the evaluation of a query reads from. */
import type { Context } from '../../../src/domain/ports/context.ts'
import type { Tables } from './tables.ts'

/** What an answer depends on besides the rows. */
export type StoreContext = Pick<Context, 'schema' | 'view' | 'actor' | 'clock'>

export type Env = StoreContext & { readonly tables: Tables; readonly uuid: () => string }
