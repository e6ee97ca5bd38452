/** Random requests: lists compared with the model, GraphQL with the model, values read back, invalid input. */
import * as fc from 'fast-check'
import { createDraft, expectStored } from '../checks/drafts.ts'
import { expectGraphqlList } from '../checks/graphql.ts'
import { articlesPath, expectList, type Row } from '../checks/listing.ts'
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { expectThat, Mismatch } from '../run/mismatch.ts'
import { draftValues, invalidQueries, junk, listQueries } from './arbitraries.ts'

/** Runs a property; the failure is that of the smallest case, and says the seed. */
async function holds<T>(
  trial: Trial,
  arbitrary: fc.Arbitrary<T>,
  property: (value: T) => Promise<unknown>,
): Promise<void> {
  const { seed, runs } = trial.random
  let smallest: unknown = null
  const result = await fc.check(
    fc.asyncProperty(arbitrary, async (value) => {
      try {
        await property(value)
      } catch (error) {
        smallest = error
        throw error
      }
    }),
    { seed, numRuns: runs, endOnFailure: false },
  )
  if (!result.failed) return
  // The last failure seen is not the smallest one if the last step of shrinking passed.
  const [value] = result.counterexample ?? []
  const again =
    value === undefined
      ? smallest
      : await property(value).then(
          () => smallest,
          (error: unknown) => error,
        )
  if (again instanceof Mismatch) {
    throw new Mismatch(`${again.message}; seed ${seed}, after ${result.numShrinks} steps of shrinking`, again.detail)
  }
  throw again
}

export const randomChecks = (hasGraphql: boolean): readonly Check[] =>
  checksOf('random', 'world', [
    statement('readItems', 'random filters, sorts and pages find the items of the model', (trial) =>
      holds(trial, listQueries(trial), (query) => expectList(trial, query)),
    ),
    statement('readItems', 'random lists of a restricted user are those of the model', (trial) =>
      holds(trial, listQueries(trial, ['id', 'title', 'views', 'live']), (query) => expectList(trial, query, 'reader')),
    ),
    ...(hasGraphql
      ? [
          statement('readGraphql', 'random lists by GraphQL are those of the model', (trial) =>
            holds(trial, listQueries(trial, ['id', 'title', 'label', 'views', 'rating', 'live']), (query) =>
              expectGraphqlList(trial, query),
            ),
          ),
        ]
      : []),
    statement('createItems', 'random values are read back as they were written', (trial) =>
      holds(trial, draftValues, async (values) => {
        const { id } = await createDraft(trial, { title: trial.mark(), ...values })
        await expectStored(trial, id, { ...values })
      }),
    ),
    statement('readItems', 'random invalid queries are answered without a server error', (trial) =>
      holds(trial, invalidQueries, (query) => expectAnswered(trial, `GET ${articlesPath(trial)}`, { query })),
    ),
    statement(
      'createItems',
      'random bodies are answered without a server error, and what is refused is not written',
      (trial) =>
        holds(trial, junk, async (body) => {
          await expectAnswered(trial, `POST ${articlesPath(trial)}_nothing`, { body })
          await expectAnswered(trial, `PATCH /items/${trial.world.names.drafts}/2000000000`, { body })
          await expectAnswered(trial, 'POST /graphql', { body })
        }),
    ),
  ])

async function expectAnswered(
  trial: Trial,
  line: string,
  options: { readonly query?: Row; readonly body?: unknown },
): Promise<void> {
  const exchange = await trial.ask(line, options)
  expectThat(exchange, 'The request is answered without a server error', exchange.status < 500, exchange.status)
}
