/** The project of a running server, by its API. */

import { readEnvironment } from '../../config/config.ts'
import { ConfigError } from '../../config/error.ts'
import type { ReadUse } from '../../core/usage/read-usage.ts'
import { parseOr } from '../../domain/parse-or.ts'
import type { AffectedClient, ChangeWithClients, ProjectDocument } from '../../domain/ports/configuration.ts'
import type { UsageFilter } from '../../sql/statements/operation/usage.ts'
import type { PlannedDocument, PlanWithClients, ProjectConnection } from './project-connection.ts'

type WireClient = Omit<AffectedClient, 'lastCall'> & { readonly last_call: string }
type WireChange = Omit<ChangeWithClients, 'clients'> & { readonly clients: readonly WireClient[] }
type WirePlan = { readonly changes: readonly WireChange[]; readonly kept: readonly string[] }
type WireUse = Omit<ReadUse, 'first' | 'last'> & { readonly first_call: string; readonly last_call: string }

/** Without a token, that of `TANDEM_TOKEN`, which is not shown in lists of processes. */
export function connectToServer(url: string, input: string | undefined): ProjectConnection {
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new ConfigError('--url', 'an address such as "https://api.example.com"', url)
  const token = input ?? readEnvironment()['TANDEM_TOKEN']
  if (token === undefined || token === '')
    throw new ConfigError('--token', 'the token of an administrator, here or in TANDEM_TOKEN', 'none')
  const ask = <Data>(path: string, body?: object): Promise<Data> => send({ url, token, path, body }) as Promise<Data>
  return {
    read: () => ask<ProjectDocument>('/configuration'),
    async plan(planned) {
      const { changes, kept } = await ask<WirePlan>('/configuration/plan', toBody(planned))
      return { changes: changes.map(fromWire), kept } satisfies PlanWithClients
    },
    push: (planned, seen) => ask('/configuration/apply', { ...toBody(planned), changes: seen }),
    async usage(filter) {
      const uses = await ask<readonly WireUse[]>(`/usage?${searchOf(filter)}`)
      return uses.map(({ first_call: first, last_call: last, ...use }) => ({ ...use, first, last }))
    },
  }
}

const toBody = ({ document, options }: PlannedDocument): object => ({
  configuration: document,
  prune: options.prune,
  secrets: [...options.secrets],
})

const fromWire = ({ clients, ...change }: WireChange): ChangeWithClients => ({
  ...change,
  clients: clients.map(({ last_call: lastCall, ...client }) => ({ ...client, lastCall })),
})

const searchOf = (filter: UsageFilter): URLSearchParams =>
  new URLSearchParams(
    Object.entries(filter).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  )

type SentRequest = {
  readonly url: string
  readonly token: string
  readonly path: string
  readonly body?: object | undefined
}

/** Resolves to `data` of the answer. Rejects with one line about the server's answer. */
async function send({ url, token, path, body }: SentRequest): Promise<unknown> {
  const method = body === undefined ? 'GET' : 'POST'
  const address = `${url.replace(/\/+$/, '')}${path}`
  const response = await fetch(address, {
    method,
    // Usage is counted by this name.
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-client': 'tandem' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? error.cause.message : error.message
    throw new Error(`${method} ${address} failed: ${cause}`, { cause: error })
  })
  const text = await response.text()
  if (response.status === 204) return null
  const answer = parseOr(text, null) as Answer | null
  if (response.ok && answer?.data !== undefined) return answer.data
  const reason = answer?.errors?.[0]?.extensions?.reason ?? answer?.errors?.[0]?.message ?? text.slice(0, 300)
  throw new Error(response.status === 400 ? reason : `${method} ${address} answered with ${response.status}: ${reason}`)
}

type Answer = {
  readonly data?: unknown
  readonly errors?: readonly { readonly message?: string; readonly extensions?: { readonly reason?: string } }[]
}
