/** The source of the parameters of writes. */
import type { WriteContext as ContextOfWrites } from '../../domain/ports/context.ts'
import type { Write } from '../../domain/ports/row-store.ts'
import type { Journal } from '../../domain/ports/write-log.ts'

/** The part of a context that a statement needs. */
export type WriteContext = Omit<ContextOfWrites, 'rows' | 'allowance'>

/** The actions of writes in events and history. */
export const actions = { insert: 'create', update: 'update', 'update-each': 'update', delete: 'delete' } as const

/** Who writes, when and how: what history and events record, and what remains of a request in its statements. */
export type Author = Pick<WriteContext, 'actor' | 'clock' | 'request' | 'feed'>

/** The source of the parameters of a statement. */
export type Sent = { readonly write: Write; readonly author: Author; readonly journal: Journal | null }
