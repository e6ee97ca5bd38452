/** Logs statements that take long, and their plans if that is asked for. */
import type { Database, Log, Statement } from '../domain/ports/context.ts'

export type PlanOf = (db: Database, statement: Statement) => Promise<unknown>

export type SlowLog = (ran: RanStatement) => void

export type RunningStatement = {
  readonly db: Database
  readonly statement: Statement
  readonly task: string
  readonly project: string
}

type RanStatement = RunningStatement & { readonly ms: number }

type Options = {
  /** Statements that take so long are logged. */
  readonly milliseconds: number
  readonly log: Log
  /** Null: no plans. */
  readonly planOf: PlanOf | null
}

export function createSlowLog({ milliseconds, log, planOf }: Options): SlowLog {
  let isPlanning = false
  // A plan is asked for over another connection, and never while one is on its way: a slow database gets no more to do.
  const explain = async ({ db, statement, task, project }: RanStatement, plan: PlanOf): Promise<void> => {
    isPlanning = true
    try {
      const planText = await plan(db, statement)
      if (planText !== null) log.warn({ project, task, plan: planText }, 'Plan of a slow statement')
    } catch (error) {
      log.warn({ project, task, err: error }, 'A slow statement has no plan')
    } finally {
      isPlanning = false
    }
  }
  return (ran) => {
    const { statement, task, project, ms } = ran
    if (ms < milliseconds) return
    log.warn({ project, task, ms: Math.round(ms), statement: statement.text.slice(0, longestText) }, 'Slow statement')
    if (planOf !== null && !isPlanning) void explain(ran, planOf)
  }
}

/** Characters of a statement in the log. Values are never there: they are bindings. */
const longestText = 2000
