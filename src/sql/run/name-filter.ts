/** Errors of reads about values that only the database can parse, such as a range in a filter. */
import { TandemError } from '../../domain/rights/errors.ts'
import { refusalOf } from '../wire/refusals.ts'

/** Runs a read. What the database says about a value becomes an error about the filter. */
export async function runFiltered<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run()
  } catch (error) {
    const refusal = refusalOf(error)
    if (!(error instanceof TandemError) || refusal === null || refusal.raised || !states.test(refusal.sqlState))
      throw error
    const [failure] = error.failures
    const isOutOfRange = failure.kind === 'value-out-of-range'
    if (!isOutOfRange && failure.kind !== 'invalid-payload') throw error
    const reason = isOutOfRange ? 'Expected a value in the range of its type' : failure.reason
    throw new TandemError({ kind: 'invalid-query', name: 'filter', reason }, { cause: error.cause })
  }
}

/** What the functions that read values of a type answer. */
const states = /^(22003|22007|22008|22023|22P02|0A000|3F000|42...|XX000)$/
