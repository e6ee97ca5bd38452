/** Keys of requests as the database would answer them: used by another request, or in progress. */
import type { Database, Statement } from '../src/domain/ports/context.ts'

export type KeyState = 'reused' | 'in progress' | null

const answers: { readonly [Each in 'reused' | 'in progress']: { readonly [statement: string]: object } } = {
  reused: {
    'key-turn': { mine: true },
    'kept-answer': { digest: 'of another request', status: 200, body: null, headers: {} },
  },
  'in progress': { 'key-turn': { mine: false } },
}

/** The database, with what `state` says about every key. */
export function withPlayedKeys<D extends Database>(db: D, state: () => KeyState): D {
  const run: Database['run'] = async (statement: Statement) => {
    const now = state()
    const row = now === null ? undefined : answers[now][statement.name ?? '']
    return row === undefined ? db.run(statement) : { rows: [row], count: 1 }
  }
  const transaction: Database['transaction'] = (work, ...rest) =>
    db.transaction((inner) => work(withPlayedKeys(inner, state)), ...rest)
  return { ...db, run, transaction }
}
