/** The API of a server elsewhere, by HTTP. */
import type { Answer, Api, Call } from './api.ts'
import { type Operation, type OperationIndex, readOperations } from './operations.ts'

/** `url`: base address of the server. `token`: whose rights count; absent = the public. */
export type Remote = { readonly url: string; readonly token?: string | undefined; readonly version: string }

/** How long the operations of the server count as known, in milliseconds. */
const shelfLife = 60_000

/** Milliseconds that one request may take. */
const timeout = 120_000

export function remoteApi(remote: Remote): Api {
  let index: { readonly since: number; readonly value: Promise<OperationIndex> } | null = null
  return {
    operations() {
      if (index === null || Date.now() - index.since > shelfLife) {
        const value = readIndex(remote)
        index = { since: Date.now(), value }
        value.catch(() => {
          index = null
        })
      }
      return index.value
    },
    run: (operation, call, agent) =>
      call.dryRun ? runDry(remote, { operation, call, agent }) : run(remote, { operation, call, agent }),
  }
}

async function readIndex(remote: Remote): Promise<OperationIndex> {
  const { status, text } = await send(remote, { method: 'GET', path: '/server/specs/oas', agent: null })
  if (status !== 200 || text === null) throw new Error(`GET /server/specs/oas answered with ${status}`)
  return readOperations(JSON.parse(text) as OperationIndex['document'])
}

type Run = { readonly operation: Operation; readonly call: Call; readonly agent: string | null }

function run(remote: Remote, { operation, call, agent }: Run): Promise<Answer> {
  const { path: values, query } = call
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(toText(values[name] ?? '')),
  )
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, toText(value)])).toString()
  return send(remote, { ...call, method: operation.method, path: search === '' ? path : `${path}?${search}`, agent })
}

/** The server undoes batches alone. */
async function runDry(remote: Remote, { operation, call, agent }: Run): Promise<Answer> {
  const { path: parameters, query } = call
  if (operation.method === 'GET') return run(remote, { operation, call, agent })
  const only = {
    method: operation.method,
    path: operation.path,
    parameters,
    query,
    ...(call.body === undefined ? {} : { body: call.body, references: false }),
    ...(call.ifMatch === undefined ? {} : { if_match: call.ifMatch }),
  }
  const answer = await send(remote, {
    method: 'POST',
    path: '/batch',
    body: { operations: [only], dry_run: true },
    agent,
  })
  if (answer.status !== 200 || answer.text === null) return answer
  const { data } = JSON.parse(answer.text) as {
    readonly data: readonly (Pick<Answer, 'status' | 'headers'> & { readonly body: unknown })[]
  }
  const [first] = data
  return {
    status: first?.status ?? 204,
    text: first?.body == null ? null : JSON.stringify(first.body),
    headers: first?.headers ?? {},
  }
}

type RemoteRequest = {
  readonly method: string
  readonly path: string
  readonly agent: string | null
  readonly body?: unknown
  readonly ifMatch?: string
}

async function send(
  { url, token, version }: Remote,
  { method, path, body, ifMatch, agent }: RemoteRequest,
): Promise<Answer> {
  const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
    method,
    headers: {
      accept: 'application/json',
      'user-agent': agent ?? `tandem/${version}`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeout),
  })
  const text = await response.text()
  return { status: response.status, text: text === '' ? null : text, headers: Object.fromEntries(response.headers) }
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
