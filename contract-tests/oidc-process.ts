/** `oidc-provider` in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** Starts it for a callback; `key`: the public key of the client that signs. */
export async function startOidcProvider(
  callback: string,
  key: object = {},
): Promise<{ readonly child: ChildProcess; readonly issuer: string }> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'oidc-provider.mjs'), callback, JSON.stringify(key)],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, issuer: line.toString().trim() }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => void server.close(resolve))
  return port
}

/**
 * Follows the pages of the provider until the browser is on a page of `home`: its address, and the last page's text.
 * `cookies`: those of the browser at the provider.
 */
export async function followPages(
  page: string,
  home: string,
  cookies: Map<string, string> = new Map(),
): Promise<{ readonly at: string; readonly text: string }> {
  let text = ''
  let at = page
  for (let hop = 0; hop < 6 && !at.startsWith(home); hop += 1) {
    const cookie = [...cookies].map((each) => each.join('=')).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
    const { headers } = response
    text = await response.text()
    if (response.status === 200) break
    for (const each of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      cookies.set(name, value)
    }
    at = new URL(headers.get('location') ?? '', at).href
  }
  return { at, text }
}

/** The address of the callback at `home` to which a login on this page of the provider leads. */
export const consentAt = async (page: string, home: string): Promise<string> => (await followPages(page, home)).at
