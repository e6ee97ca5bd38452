/** An agent: a client of the Model Context Protocol that finds an operation by its path and runs it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

type Found = { readonly operation: string; readonly method: string; readonly path: string }

export type Agent = {
  /** The text of the result of a tool. */
  readonly call: (tool: string, input: { readonly [name: string]: unknown }) => Promise<string>
  /** The name of the operation, by which it is described and run. */
  readonly nameOf: (method: string, path: string) => Promise<string>
  readonly close: () => Promise<void>
}

/** Connects to the server with a token. */
export async function openAgent(url: string, token: string): Promise<Agent> {
  const client = new Client({ name: 'agent', version: '1' })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  const call: Agent['call'] = async (name, input) => {
    const { content } = await client.callTool({ name, arguments: input })
    return (content as unknown as readonly [{ readonly text: string }])[0].text
  }
  return {
    call,
    async nameOf(method, path) {
      const words = path.replaceAll(/\W/g, ' ')
      const found = JSON.parse(await call('search_operations', { words, limit: 50 })) as readonly Found[]
      const meant = found.find((each) => each.method === method && each.path === path)
      if (meant === undefined) throw new Error(`The agent finds no ${method} ${path}`)
      return meant.operation
    },
    close: () => client.close(),
  }
}
