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

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => void server.close(resolve))
  return port
}
