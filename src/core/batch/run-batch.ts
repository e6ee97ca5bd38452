/** Runs operations one after another in one transaction: all of them, or none. */
import { parseExactly } from '../../domain/conditions/exact-numbers.ts'
import type { Context } from '../../domain/ports/context.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { filled, type Reference } from './references.ts'
import { runAsOne, timeOf } from './together.ts'

export type Step = {
  /** What may hold references; they are checked. */
  readonly value: unknown
  /** Runs the operation with the values in place of the references. */
  readonly run: (ctx: Context, input: unknown) => Promise<StepAnswer>
}

/** `text`: the body as JSON; null = none. */
export type StepAnswer = {
  readonly status: number
  readonly text: string | null
  readonly headers?: { readonly [name: string]: string }
  /** It shows a secret once. */
  readonly hasSecret?: true
}

export type BatchOptions = {
  /** Undo everything at the end. */
  readonly dryRun: boolean
  /** Bytes that references may stand for, all together. */
  readonly mostFilled: number
}

/** The answers of a batch in bytes, all together. */
const mostAnswered = 16_777_216

/**
 * Runs the steps. An error is that of the step that failed, with its position; without a position it is of the commit.
 * The steps may run again after a conflict with another transaction, so they change nothing but the database.
 */
export async function runBatch(
  ctx: Context,
  steps: readonly Step[],
  options: BatchOptions,
): Promise<readonly StepAnswer[]> {
  const progress: Progress = { running: null }
  try {
    return await runAsOne(ctx, options, (inner) => runSteps(inner, steps, { ...options, progress }))
  } catch (error) {
    if (!(error instanceof TandemError) || progress.running === null) throw error
    throw new TandemError(error.failures, { cause: error, operation: progress.running })
  }
}

/** The position of the step that is running. */
type Progress = { running: number | null }

async function runSteps(
  ctx: Context,
  steps: readonly Step[],
  { mostFilled, progress }: BatchOptions & { readonly progress: Progress },
): Promise<readonly StepAnswer[]> {
  const time = timeOf(ctx)
  const end = ctx.clock().getTime() + time
  const answers = createAnswers(mostFilled)
  for (const [position, step] of steps.entries()) {
    progress.running = position
    if (ctx.clock().getTime() > end) throw tooLong(time)
    answers.add(
      await step.run(
        ctx,
        filled(step.value, (reference) => answers.find(reference)),
      ),
    )
  }
  progress.running = null
  return answers.all
}

const tooLong = (time: number): TandemError =>
  new TandemError({
    kind: 'unprocessable',
    reason: `Expected a batch that takes at most ${time} ms (BATCH_TIMEOUT): send fewer operations at once`,
  })

/** The answers so far, and what references have taken from them. */
function createAnswers(mostFilled: number) {
  const all: StepAnswer[] = []
  const bodies = new Map<number, unknown>()
  let answered = 0
  let filledBytes = 0
  const bodyOf = (operation: number): unknown => {
    if (!bodies.has(operation)) {
      const text = all[operation]?.text ?? null
      bodies.set(operation, text === null ? null : parseExactly(text))
    }
    return bodies.get(operation)
  }
  return {
    all,
    add(answer: StepAnswer): void {
      answered += Buffer.byteLength(answer.text ?? '')
      if (answered > mostAnswered) {
        const reason = `Expected answers of at most ${mostAnswered} bytes together: ask for fewer "fields"`
        throw new TandemError({ kind: 'unprocessable', reason })
      }
      all.push(answer)
    },
    find({ operation, path }: Reference): unknown {
      let value = bodyOf(operation)
      for (const key of path) {
        if (!hasOwnValue(value, key)) throw nothingAt(operation, path)
        value = value[key]
      }
      filledBytes += Buffer.byteLength(JSON.stringify(value))
      if (filledBytes > mostFilled) throw new TandemError({ kind: 'content-too-large', limit: mostFilled })
      return value
    },
  }
}

/** A list has its positions, and not its length. */
const hasOwnValue = (value: unknown, key: string): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && Object.prototype.propertyIsEnumerable.call(value, key)

const mostNamed = 200

const nothingAt = (operation: number, path: readonly string[]): TandemError => {
  const name = [operation, ...path].join('.').slice(0, mostNamed)
  return invalidPayload('$ref', `Expected a value in an earlier answer for "$ref" but found none at "${name}"`)
}
