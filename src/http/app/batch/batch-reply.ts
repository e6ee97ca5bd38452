/** The body of a batch as steps, and their answers as a body. */
import type { BatchOptions, Step, StepAnswer } from '../../../core/batch/run-batch.ts'
import type { Context } from '../../../domain/ports/context.ts'
import { invalidPayload } from '../../../domain/rights/errors.ts'
import { requestBounds } from '../../settings.ts'
import type { HandlerInput } from '../handlers.ts'
import type { BatchOperation } from './step-types.ts'

type Input = HandlerInput<{
  readonly path: object
  readonly body: { readonly operations: readonly BatchOperation[]; readonly dry_run?: boolean }
}>

type OpenedBatch = { readonly steps: readonly Step[]; readonly options: BatchOptions }

/** Throws for an operation that cannot be right. */
export async function openBatch(ctx: Context, { path, body, request, steps: toSteps }: Input): Promise<OpenedBatch> {
  if (toSteps === undefined) throw new Error('The operation of a batch has x-batch in its spec')
  const { operations, dry_run: dryRun = false } = body
  const { batch } = ctx.limits
  if (batch !== null && operations.length > batch) {
    const reason = `Expected at most ${batch} operations for "operations" but received ${operations.length}`
    throw invalidPayload('operations', reason)
  }
  const steps = await toSteps({ ctx, request, path: path as { readonly [name: string]: unknown } }, operations)
  return { steps, options: { dryRun, mostFilled: requestBounds.filled } }
}

export const secrecyOf = (answers: readonly StepAnswer[]): { readonly hasSecret?: true } =>
  answers.some(({ hasSecret }) => hasSecret === true) ? { hasSecret: true } : {}

type ReplyOptions = { readonly dryRun: boolean; readonly more?: object }

export function answersOf(answers: readonly StepAnswer[], { dryRun, more = {} }: ReplyOptions): readonly string[] {
  const rest = JSON.stringify({ ...(dryRun ? { dry_run: true } : {}), ...more }).slice(1)
  const pieces = answers.flatMap(({ status, text, headers }, position) => [
    `${position === 0 ? '' : ','}{"status":${status},"body":`,
    text ?? 'null',
    headers === undefined ? '}' : `,"headers":${JSON.stringify(headers)}}`,
  ])
  return ['{"data":[', ...pieces, rest === '}' ? ']}' : `],${rest}`]
}
