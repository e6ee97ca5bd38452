/** The failure of code that is expected to throw one. */
import { TandemError } from '../rights/errors.ts'

/** Runs the function and returns the `TandemError` that it throws. */
export function caught(act: () => unknown): TandemError {
  try {
    act()
  } catch (error) {
    if (error instanceof TandemError) return error
    throw error
  }
  throw new Error('Expected a failure but nothing was thrown')
}
