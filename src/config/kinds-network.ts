/** Types of settings for the network: addresses, origins, headers and cookies. */
import { isIP } from 'node:net'
import { z } from 'zod'
import { isNetwork } from '../outbound/addresses.ts'
import { refuse } from './error.ts'
import { type Kind, toList } from './kinds.ts'

export const path: Kind<string> = {
  expected: 'a path such as /websocket',
  schema: z
    .string()
    .regex(/^(?:\/[a-z0-9_-]+)+$/i)
    .transform((value) => value.toLowerCase()),
}

export const url: Kind<string> = {
  expected: 'an absolute http or https address',
  schema: z
    .string()
    .pipe(z.url({ protocol: /^https?$/ }))
    .transform((value) => value.replace(/\/+$/, '')),
}

/** A list of URLs that mails may link to. Custom schemes of apps are allowed. */
export const pages: Kind<readonly string[]> = {
  expected: 'a comma-separated list of absolute addresses such as https://app.example.com/reset',
  schema: z.string().transform((value, ctx) => {
    const entries = toList(value)
    for (const each of entries) if (!URL.canParse(each)) ctx.addIssue('not an address')
    return entries
  }),
}

/** Names of address ranges that Express supports in `trust proxy`. */
const namedNetworks: readonly string[] = ['loopback', 'linklocal', 'uniquelocal']

/** A value of `trust proxy`: false, true, a number of proxies, or their addresses. */
export const proxies: Kind<boolean | number | readonly string[]> = {
  expected: 'true, false, a number of proxies, or a list of their addresses and networks',
  schema: z.string().transform((value, ctx) => {
    if (value === 'true' || value === 'false') return value === 'true'
    if (/^\d{1,6}$/.test(value)) return Number(value)
    const entries = toList(value)
    if (entries.length === 0 || !entries.every(isProxy)) ctx.addIssue('not addresses')
    return entries
  }),
}

function isProxy(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (bits === undefined && namedNetworks.includes(address)) return true
  const version = isIP(address)
  return version !== 0 && Number(bits ?? 0) <= (version === 4 ? 32 : 128)
}

/** Refuses a list with anything but addresses and networks. */
export function assertNetworks(setting: string, list: readonly string[]): void {
  const wrong = list.find((each) => !isNetwork(each))
  if (wrong !== undefined) refuse(setting, 'addresses and networks', JSON.stringify(wrong))
}

/** CORS origins: false = none, true = any, or a list. */
export const origins: Kind<boolean | readonly string[]> = {
  expected: 'true, false, * or a list of origins such as https://app.example.com',
  schema: z.string().transform((value, ctx) => {
    if (value === 'true' || value === '*') return true
    if (value === 'false') return false
    const addresses = value.split(',').map((each) => each.trim().replace(/\/$/, ''))
    for (const each of addresses) if (!/^https?:\/\/[^/\s]+$/.test(each)) ctx.addIssue('not an origin')
    return addresses
  }),
}

export const headerName: Kind<string> = {
  expected: 'the name of a header',
  schema: z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/),
}

export const redisUrl: Kind<string> = {
  expected: 'redis://user:password@host:6379/0',
  schema: z.string().refine((value) => /^rediss?:\/\//.test(value) && URL.canParse(value)),
}

export const cookieName: Kind<string> = { expected: 'a cookie name', schema: z.string().regex(/^[\w.-]+$/) }

export const cookieDomain: Kind<string> = {
  expected: 'a domain such as example.com',
  schema: z.string().regex(/^\.?[a-z\d-]+(?:\.[a-z\d-]+)*$/i),
}

/** A list of HTTP tokens, such as names of methods or headers. */
export const tokens: Kind<readonly string[]> = {
  expected: 'a comma-separated list of names',
  schema: z.string().transform((value, ctx) => {
    const entries = toList(value)
    if (!entries.every((each) => /^[\w!#$%&'*+.^`|~-]+$/.test(each))) ctx.addIssue('not a name')
    return entries
  }),
}

/** A token that can be sent in the Authorization header. */
export function tokenText(characters: number): Kind<string> {
  return {
    expected: `at least ${characters} visible characters of ASCII`,
    schema: z.string().regex(new RegExp(`^[!-~]{${characters},}$`)),
  }
}
