import { afterAll, expect, test } from 'vitest'
import { readAnswer } from '../verify/src/http/client.ts'
import { type HostileRequest, hostileRequest } from './fuzz.ts'
import { createRandom } from './random.ts'
import { specs } from './spec.ts'
import { openWorld, userKinds } from './world.ts'

const seed = 20_261_121
const requests = 1500
const atOnce = 4
/** Time limit of a response in milliseconds. */
const requestTimeout = 10_000

const world = await openWorld()
afterAll(() => world.close())

const operations = specs.flatMap((spec) => spec.operations)

/** Codes of logins by providers that version 8 answers with 500. */
const isDocumented = ({ status, text }: { readonly status: number; readonly text: string }): boolean =>
  status === 500 && /^\{"error":\{"code":(109|110),/.test(text)

/** The problem of a response; null if there is none. */
async function complaintAbout(request: HostileRequest, token: string | null): Promise<string | null> {
  const headers = { ...request.headers, ...(token !== null && { authorization: `Bearer ${token}` }) }
  const sent = { method: request.method, headers, body: request.body, signal: AbortSignal.timeout(requestTimeout) }
  try {
    const answer = await readAnswer(await fetch(`${world.url}${request.target}`, sent))
    if (
      isDocumented(answer) ||
      answer.status < 500 ||
      (answer.status === 503 && answer.headers.get('retry-after') !== null)
    )
      return null
    return `${answer.status} ${answer.text.slice(0, 200)}`
  } catch (error) {
    return String(error)
  }
}

test('no hostile request causes a server error or a hang', { timeout: 300_000 }, async () => {
  const random = createRandom(seed)
  const all = Array.from({ length: requests }, () => ({
    request: hostileRequest(random, operations),
    token: world.tokens[random.pick(userKinds)],
  }))
  const failures: unknown[] = []
  const work = async (first: number): Promise<void> => {
    for (let index = first; index < all.length; index += atOnce) {
      const { request, token } = all[index] as (typeof all)[number]
      const complaint = await complaintAbout(request, token)
      if (complaint !== null) failures.push({ complaint, ...request, user: token })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, first) => work(first)))
  expect(failures).toEqual([])
  expect(await (await fetch(`${world.url}/server/ping`)).text()).toBe('pong')
})

const fewRequests = (): readonly HostileRequest[] => {
  const random = createRandom(seed)
  return Array.from({ length: 50 }, () => hostileRequest(random, operations))
}

test('the same seed gives the same requests', () => {
  expect(fewRequests()).toEqual(fewRequests())
})
