/** A connection by standard input and output. */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Api } from './api.ts'
import { createToolServer, type ServerIdentity } from './tools.ts'

/** Serves one client until the input ends. */
export function serveInput(api: Api, identity: ServerIdentity): void {
  serveStdio(() => createToolServer(api, identity))
}
