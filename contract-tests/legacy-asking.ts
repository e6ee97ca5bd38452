/** Requests of an older client to the shared world, and the primary key that it declares for its collections. */
import { expect } from 'vitest'
import { send } from './send.ts'
import type { UserKind, World } from './world.ts'

/** Status and `data` of an answer, or the code of its error. */
type Ask = (request: string, body?: unknown, as?: UserKind) => Promise<readonly [number, unknown]>

/** `dataOf` fails for every answer but 200. `world` is asked at each request, because tests open it later. */
export function askingAs(world: () => World): {
  readonly ask: Ask
  readonly dataOf: (request: string, body?: unknown) => Promise<never>
} {
  const ask: Ask = async (request, body, as = 'admin') => {
    const answer = await send(world().url, request, { body, token: world().tokens[as] })
    const json = (answer.body ?? {}) as { data?: unknown; error?: { code: unknown } }
    return [answer.status, json.error === undefined ? json.data : json.error.code]
  }
  const dataOf = async (request: string, body?: unknown): Promise<never> => {
    const [status, data] = await ask(request, body)
    expect([request, status, status === 200 ? null : data]).toEqual([request, 200, null])
    return data as never
  }
  return { ask, dataOf }
}

export const key = {
  field: 'id',
  type: 'integer',
  datatype: 'INT',
  length: 10,
  primary_key: true,
  auto_increment: true,
}
