/** A browser that logs in by a provider: it keeps cookies, and follows no redirect by itself. */

type Answer = {
  readonly status: number
  readonly location: string | null
  readonly body: unknown
  readonly headers: Headers
}

export type LoginBrowser = {
  readonly cookies: Map<string, string>
  readonly get: (address: string | URL) => Promise<Answer>
  /** Sends a form, as a page of the provider does. */
  readonly post: (address: string | URL, form: { readonly [field: string]: string }) => Promise<Answer>
  /** Begins a login: the address of the provider's page. */
  readonly begin: (provider: string, query?: string) => Promise<string>
}

/** A browser without cookies. Addresses of the public URL are asked at the server's own. */
export function openBrowser(server: string, publicUrl: string = server): LoginBrowser {
  const cookies = new Map<string, string>()
  const ask = async (address: string | URL, request: RequestInit): Promise<Answer> => {
    const target = new URL(address, publicUrl).href.replace(publicUrl, server)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = cookie === '' ? {} : { cookie }
    const response = await fetch(target, { ...request, redirect: 'manual', headers })
    for (const each of response.headers.getSetCookie()) keep(cookies, each)
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    const body: unknown = isJson ? JSON.parse(text) : text
    return { status: response.status, location: response.headers.get('location'), body, headers: response.headers }
  }
  const get = (address: string | URL): Promise<Answer> => ask(address, {})
  return {
    cookies,
    get,
    post: (address, form) => ask(address, { method: 'POST', body: new URLSearchParams(form) }),
    async begin(provider, query = '') {
      const { status, location, body } = await get(`/auth/login/${provider}${query}`)
      if (status !== 302 || location === null) throw new Error(`${status} ${JSON.stringify(body)}`)
      return location
    },
  }
}

function keep(cookies: Map<string, string>, text: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
  if (/max-age=0\b/i.test(text)) cookies.delete(name)
  else cookies.set(name, value)
}
