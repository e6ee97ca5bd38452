import { expect, test } from 'vitest'
import { createSession } from './session.ts'
import { cookieStorage, memoryStorage, webStorage } from './storage.ts'
import type { Tokens } from './token-storage.ts'

const tokens: Tokens = { access: 'a;=1', refresh: 'r', expires: 5 }

/** What a browser keeps of cookies that are set. */
function cookieJar() {
  const jar = new Map<string, string>([['other', 'tandem=no']])
  const written: string[] = []
  return {
    written,
    read: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    write: (cookie: string) => {
      written.push(cookie)
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      if (cookie.includes('Max-Age=0')) jar.delete(pair.slice(0, at))
      else jar.set(pair.slice(0, at), pair.slice(at + 1))
    },
  }
}

function area() {
  const entries = new Map<string, string>()
  return {
    entries,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  }
}

test.each([
  ['memory', () => memoryStorage()],
  ['web storage', () => webStorage({ area: area() })],
  ['a cookie', () => cookieStorage(cookieJar())],
] as const)('%s keeps tokens until they are removed', async (_, make) => {
  const storage = make()
  expect(await storage.get()).toBeNull()
  await storage.set(tokens)
  expect(await storage.get()).toEqual(tokens)
  await storage.set(null)
  expect(await storage.get()).toBeNull()
})

test('an entry of another program is no session', async () => {
  const shared = area()
  shared.entries.set('tandem', '{"theme":"dark"}')
  expect(await webStorage({ area: shared }).get()).toBeNull()
  shared.entries.set('tandem', 'dark')
  expect(await webStorage({ area: shared }).get()).toBeNull()
})

test('the cookie is sent to the own site alone, encrypted, and for its lifetime', async () => {
  const jar = cookieJar()
  await cookieStorage({ ...jar, name: 'session', maxAge: 60 }).set(tokens)
  expect(jar.written[0]).toMatch(/^session=[^;]+; Max-Age=60; Path=\/; SameSite=Lax; Secure$/)
})

test('tabs that share a storage renew its tokens once', async () => {
  const shared = area()
  let last = Promise.resolve<unknown>(undefined)
  let renewals = 0
  const tab = () =>
    createSession({
      now: () => 10,
      storage: {
        ...webStorage({ area: shared }),
        lock: (work) => {
          const turn = last.then(work)
          last = turn
          return turn
        },
      },
      renew: async () => ({ access: `new-${++renewals}`, refresh: 'r2', expires: 1_000_000 }),
    })
  const [one, other] = [tab(), tab()]
  await one.write(tokens)
  expect(await Promise.all([one.token(), other.token()])).toEqual(['new-1', 'new-1'])
  expect(renewals).toBe(1)
})
