import type { InputRules } from '../validation/input.ts'
import type { ToSteps } from './batch/step-types.ts'
import type { AnyHandler } from './handlers.ts'
import type { Generation } from './served-generation.ts'

export type Served = {
  readonly generation: Generation
  readonly handler: AnyHandler
  readonly rules: InputRules
  readonly search: InputRules | null
  /** Whether all other callers are refused before validation (`x-administrators-only`). */
  readonly administratorsOnly: boolean
  /** Whether the handler gets the Express request (`x-raw`). */
  readonly isRaw: boolean
  /** Makes the steps of a batch from operations of the same generation; null unless the operation has `x-batch`. */
  readonly steps: ToSteps | null
  readonly names: readonly string[]
  /** Whether `Idempotency-Key` is refused. */
  readonly refusesKey: boolean
}
