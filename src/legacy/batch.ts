/** Several writes in one transaction. */
import { runBatch } from '../core/batch/run-batch.ts'
import type { LegacyBatchOperations } from '../generated/legacy.ts'
import { answersOf, openBatch, secrecyOf } from '../http/app/batch/batch-reply.ts'
import type { Handlers } from '../http/app/handlers.ts'
import { jsonText } from '../http/reply/reply.ts'
import { publicly } from './handlers/answers.ts'

export const batch = {
  async runBatch(ctx, input) {
    const { steps, options } = await openBatch(ctx, input)
    const answers = await runBatch(ctx, steps, options)
    return { ...jsonText(answersOf(answers, { ...options, more: publicly(ctx, {}) })), ...secrecyOf(answers) }
  },
} satisfies Handlers<LegacyBatchOperations>
