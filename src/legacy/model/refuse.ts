/** Refuses changes to the data model. */
import { isUnlimited } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import { type ModelProblem, TandemError } from '../../domain/rights/errors.ts'

/** Throws an error about a part of the model. */
export function refuseModel(problem: ModelProblem, name: string, reason: string): never {
  throw new TandemError({ kind: 'invalid-model', problem, name, reason })
}

/** Requires an administrator to change the model. */
export function assertAltering({ actor }: Pick<Context, 'actor'>, collection: string): void {
  if (isUnlimited(actor)) return
  if (actor.kind === 'public') throw new TandemError({ kind: 'unauthenticated' })
  refuseModel('altering', 'collection', `Altering collection "${collection}" was denied`)
}
