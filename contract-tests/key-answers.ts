/** Each write that takes an `Idempotency-Key` refuses one of another request, and one whose request is in progress. */
import { expect, test } from 'vitest'
import { type Case, plainCase } from '../verify/src/cases/case.ts'
import { sendCase } from '../verify/src/cases/send.ts'
import type { Operation, Spec } from '../verify/src/spec/operations.ts'
import { pairOf } from './coverage.ts'
import type { World } from './world.ts'

type KeyRun = {
  readonly world: () => World
  readonly seen: Set<string>
  readonly clean: () => Promise<void>
  readonly fill: (each: Case) => Promise<Case>
}

const takesKey = ({ parameters }: Operation): boolean => parameters.some(({ name }) => name === 'Idempotency-Key')

export function keyTests(specs: readonly Spec[], { world, seen, clean, fill }: KeyRun): void {
  const keyed = specs.flatMap(({ operations }) => operations.filter(takesKey))
  test.for(keyed)('$generation $id takes no key of another request', async (operation) => {
    await clean()
    const plain = await fill(plainCase(operation))
    const headers = { ...plain.request.headers, 'idempotency-key': 'a-key' }
    for (const [state, status] of [
      ['reused', operation.path.includes('/scim/') ? 400 : 422],
      ['in progress', 409],
    ] as const) {
      const asked = { ...plain, request: { ...plain.request, headers } }
      const answer = await world().withKeys(state, () =>
        sendCase(asked, { url: world().url, token: world().tokens.admin }),
      )
      seen.add(pairOf(operation, answer.status))
      expect([state, answer.status], answer.text).toEqual([state, status])
    }
  })
}
