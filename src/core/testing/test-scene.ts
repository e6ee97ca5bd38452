/** Tests without lasting effects: each runs in a transaction that is rolled back. */
import type { Context, Database, Statement } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { writeItems } from '../items/items.ts'
import type { TestWorld } from './test-context.ts'

/** The tools of a scene: a context that records its statements, plain SQL, and short forms of writes. */
export type Scene = {
  readonly ctx: Context
  readonly statements: Statement[]
  readonly rowsOf: TestWorld['rowsOf']
  readonly create: (collection: string, ...items: readonly Changes[]) => Promise<readonly number[]>
  readonly update: (collection: string, key: Key, changes: Changes) => Promise<readonly Key[]>
}

/** The same scene for another writer. */
export function sceneFor(scene: Pick<Scene, 'statements' | 'rowsOf'>, ctx: Context): Scene {
  return {
    ...scene,
    ctx,
    create: async (collection, ...items) => (await writeItems(ctx, { kind: 'create', collection, items })) as number[],
    update: (collection, key, changes) =>
      writeItems(ctx, { kind: 'update', collection, target: { kind: 'keys', keys: [key] }, changes }),
  }
}

/** Runs a scene and rolls it back. */
export async function playScene({ ctx }: TestWorld, work: (scene: Scene) => Promise<void>): Promise<void> {
  const over = new Error('The scene is over')
  const played = ctx.db.transaction(async (inner) => {
    const statements: Statement[] = []
    const rowsOf = async (text: string) => (await inner.run({ text, values: [] })).rows
    await work(sceneFor({ statements, rowsOf }, { ...ctx, db: recording(inner, statements) }))
    throw over
  })
  await played.catch((error: unknown) => {
    if (error !== over) throw error
  })
}

function recording(db: Database, statements: Statement[]): Database {
  return {
    dialect: db.dialect,
    run: (statement) => {
      statements.push(statement)
      return db.run(statement)
    },
    runLast: (statement) => {
      statements.push(statement)
      return db.runLast(statement)
    },
    transaction: (work) => db.transaction((inner) => work({ ...recording(inner, statements), isInner: true })),
  }
}
