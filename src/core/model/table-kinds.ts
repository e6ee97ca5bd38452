/** What the database takes of tables that are no ordinary ones. Their metadata is changed like that of others. */
import type { Context } from '../../domain/ports/context.ts'
import type { Collection, TableKind } from '../../domain/schema/schema.ts'
import { hasGeometry } from '../../sql/statements/imports.ts'
import { refusePart } from './schema-change.ts'

type Kinds = { readonly [Kind in TableKind]?: string }

/** Whose rows and columns are those of other tables. */
const shown: Kinds = {
  view: 'which its definition in the database makes',
  'materialized view': 'which its definition in the database makes',
}

const refusals = {
  /** Columns cannot be added, dropped, or changed in their types. */
  columns: { ...shown, partition: 'which has the columns of the table that it is a part of' },
  /** Columns cannot require values. */
  nullable: shown,
  /** The table cannot be dropped. */
  table: { ...shown, 'foreign table': 'whose rows are elsewhere' },
  /** Foreign keys can neither be in the table nor lead to it. */
  constraint: { ...shown, 'foreign table': 'whose rows are elsewhere' },
} as const satisfies { readonly [part: string]: Kinds }

type Part = keyof typeof refusals

/** Throws if the database has no such change of the table. `part`: what of the request asks for it. */
export function assertTakes(change: Part, collection: Collection | undefined, part: string): void {
  const kind = collection?.table?.kind
  const reason = reasonOf(change, kind)
  if (reason !== undefined) refusePart(part, `Expected a table but "${collection?.name}" is a ${kind}, ${reason}`)
}

/** Whether there can be foreign keys in the table and to it. */
export const takesConstraints = (collection: Collection | undefined): boolean =>
  reasonOf('constraint', collection?.table?.kind) === undefined

const reasonOf = (change: Part, kind: TableKind | undefined): string | undefined =>
  kind === undefined ? undefined : refusals[change][kind]

/** Whether a table may have columns for shapes. */
export const takesGeometry = ({ db }: Pick<Context, 'db'>): Promise<boolean> => hasGeometry(db)
