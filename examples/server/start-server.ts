/** Starts a server for an example, with an embedded database in a temporary folder. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../src/main.js', import.meta.url))

export type ExampleServer = { readonly url: string; readonly stop: () => Promise<void> }

/** Starts the server on a free port. `prepare` can create the database in the folder first. */
export async function startServer(
  token: string,
  { prepare, settings = {} }: { prepare?: (folder: string) => Promise<void>; settings?: Record<string, string> } = {},
): Promise<ExampleServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-example-'))
  await prepare?.(folder)
  const own = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder, ADMIN_TOKEN: token, LOG_LEVEL: 'warn' }
  const child = spawn(process.execPath, [main, 'start'], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...own, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Tandem serves .* at (http\S+)$/.exec(line)?.[1]
    if (url !== undefined) return { url, stop }
  }
  await stop()
  throw new Error('the server did not start')
}
