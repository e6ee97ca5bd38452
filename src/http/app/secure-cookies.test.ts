import { expect, test } from 'vitest'
import { empty, type Reply, withCookies } from '../reply/reply.ts'
import { startTestApp } from './test-app.ts'

const cookies = async (): Promise<Reply> => {
  const each = [null, true, false].map(
    (secure) => ({ name: `c-${secure}`, value: '1', secure, sameSite: 'lax' }) as const,
  )
  return withCookies(empty(), each)
}

const secureOnes = async (from: string, headers: Record<string, string> = {}): Promise<readonly string[]> => {
  const { headers: answered } = await fetch(`${from}/items/a/cookies`, { headers })
  return answered.getSetCookie().flatMap((each) => (each.includes('; Secure') ? [each.split('=')[0] as string] : []))
}

test('a cookie is secure for https requests unless it says otherwise', async () => {
  const forwarded = { 'x-forwarded-proto': 'https' }
  const own = { readItem: cookies }
  const plain = await startTestApp({}, own)
  expect(await secureOnes(plain.url, forwarded)).toEqual(['c-true'])
  await plain.close()
  const behind = await startTestApp({ trustProxy: true }, own)
  expect(await secureOnes(behind.url)).toEqual(['c-true'])
  expect(await secureOnes(behind.url, forwarded)).toEqual(['c-null', 'c-true'])
  await behind.close()
  const named = await startTestApp({ publicUrl: 'https://api.example.com/base' }, own)
  expect(await secureOnes(named.url)).toEqual(['c-null', 'c-true'])
  await named.close()
})
