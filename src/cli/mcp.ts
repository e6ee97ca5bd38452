/** `tandem mcp`: a server elsewhere for an agent that speaks by standard input and output. */
import packageJson from '../../package.json' with { type: 'json' }
import { ConfigError } from '../config/error.ts'
import { remoteApi } from '../mcp/remote-api.ts'
import { serveInput } from '../mcp/stdio.ts'

export type McpOptions = { readonly url: string; readonly token?: string }

/** Serves until the input ends. */
export function serveAgent({ url, token }: McpOptions): void {
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    throw new ConfigError('--url', 'an address such as "https://api.example.com"', url)
  }
  const { version } = packageJson
  serveInput(remoteApi({ url, token, version }), { name: 'tandem', version })
}
