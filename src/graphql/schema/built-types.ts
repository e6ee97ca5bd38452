import type { createInputs } from './input-types.ts'
import type { createOutputs } from './output-types.ts'

/** Shared parts of input and output types. */
export type Types = {
  readonly outputs: ReturnType<typeof createOutputs>
  readonly inputs: ReturnType<typeof createInputs>
}
