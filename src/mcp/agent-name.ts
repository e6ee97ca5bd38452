/**
 * Clients of the revisions before 2026-07-28 say their name only in the first message. The server has no sessions: the
 * id of the session that it gives such a client is the name itself, which the client sends with each later message.
 */

const prefix = 'agent.'

const longest = 200

/** How the activity log names an agent, `mcp <name>/<version>`; null for values that name none. */
export function toAgentName(info: unknown): string | null {
  const { name, version } = (info ?? {}) as { readonly name?: unknown; readonly version?: unknown }
  if (typeof name !== 'string' || name === '') return null
  return `mcp ${name}/${typeof version === 'string' ? version : ''}`.slice(0, longest)
}

type Initialize = { readonly method?: unknown; readonly params?: { readonly clientInfo?: unknown } | null }

/** The id of the session that a first message opens; null for other messages, and clients without a name. */
export function toSessionId(body: unknown): string | null {
  const { method, params } = (body ?? {}) as Initialize
  if (method !== 'initialize') return null
  const name = toAgentName(params?.clientInfo)
  return name === null ? null : `${prefix}${Buffer.from(name).toString('base64url')}`
}

/** The name in the id of a session; null without an id, and for one that this server did not make. */
export function fromSessionId(id: string | undefined): string | null {
  if (id === undefined || !id.startsWith(prefix)) return null
  const name = Buffer.from(id.slice(prefix.length), 'base64url').toString().slice(0, longest)
  return name.startsWith('mcp ') ? name : null
}
