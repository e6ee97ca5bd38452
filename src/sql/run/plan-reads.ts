/** Explains the statements of reads in place of running them. */
import { parseOr } from '../../domain/parse-or.ts'
import type { Database, Rows, Statement } from '../../domain/ports/context.ts'
import { invalidQuery } from '../../domain/rights/errors.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { isRead } from '../shapes/is-read.ts'

/** `cost` and `rows`: the estimate of the database; null where it gives none. */
export type StatementPlan = {
  readonly sql: string
  readonly values: readonly unknown[]
  readonly cost: number | null
  readonly rows: number | null
  readonly plan: unknown
}

export type PlannedReads = {
  /** Answers reads of rows with none. Look-ups on system tables are run; everything else is refused. */
  readonly db: Database
  readonly plans: readonly StatementPlan[]
  /** The refusal of a write; null if there was none. */
  readonly refusal: () => unknown
}

/** With `analyze`, the statements are run as well, and their plans say what came. */
export function planReads(db: Database, { analyze }: { readonly analyze: boolean }): PlannedReads {
  const plans: StatementPlan[] = []
  let refusal: unknown = null
  const refuse = (): never => {
    refusal = invalidQuery('accept', 'Expected a read for a plan but received a write')
    throw refusal
  }
  const run = async (statement: Statement): Promise<Rows> => {
    if (!isRead(statement)) return refuse()
    if (statement.rows === undefined) return db.run(statement)
    plans.push(await explain(db, statement, analyze))
    return { rows: [], count: 0 }
  }
  const planned: Database = {
    dialect: db.dialect,
    ...(db.isInner === undefined ? {} : { isInner: db.isInner }),
    run,
    runLast: async () => refuse(),
    transaction: async () => refuse(),
  }
  return { db: planned, plans, refusal: () => refusal }
}

async function explain(db: Database, statement: Statement, analyze: boolean): Promise<StatementPlan> {
  const plan = await readPlan(db, statement, analyze)
  const { cost, rows } = dialectOf(db).estimateOf(plan)
  return { sql: statement.text, values: statement.values, cost, rows, plan }
}

/** The plan of a statement as the database gives it. With `analyze` the statement is run as well. */
export async function readPlan(
  db: Database,
  { text, values, asker }: Pick<Statement, 'text' | 'values' | 'asker'>,
  analyze = false,
): Promise<unknown> {
  const { rows } = await db.run({ text: `${dialectOf(db).explain(analyze)} ${text}`, values, asker })
  const [cell] = Object.values((rows[0] ?? {}) as { readonly [name: string]: unknown })
  return typeof cell === 'string' ? parsePlan(cell) : cell
}

/** MariaDB writes names and values into texts of its JSON as they are, with their quotes; each text has its own line. */
function parsePlan(text: string): unknown {
  const escaped = text.replaceAll(/^(\s*"\w+": )"(.*)"(,?)$/gm, (_, name: string, value: string, comma: string) =>
    [name, JSON.stringify(value), comma].join(''),
  )
  return parseOr(text, null) ?? parseOr(escaped, text)
}
