/** Cookies as the header of an answer has them. */
import { serialize } from 'cookie'
import type { HttpRequest } from '../request/request.ts'
import type { Cookie } from './reply.ts'

/** A cookie that leaves `secure` open is secure if the request came by https. */
export const decideCookie = (cookie: Cookie, { origin, base }: Pick<HttpRequest, 'origin' | 'base'>): Cookie => ({
  ...cookie,
  secure: cookie.secure ?? origin.startsWith('https:'),
  path: cookie.path === undefined && base !== '' ? base : `${base}${cookie.path ?? '/'}`,
})

/** Percent-encodes the value, so that it cannot break out of the cookie or the header. */
export const cookieText = ({
  name,
  value,
  path = '/',
  maxAgeSeconds,
  domain,
  sameSite,
  httpOnly,
  secure,
}: Cookie): string =>
  serialize(name, value ?? '', {
    path,
    sameSite,
    httpOnly: httpOnly ?? true,
    secure: secure ?? false,
    ...(domain === undefined ? {} : { domain }),
    ...(value === null
      ? { maxAge: 0, expires: new Date(0) }
      : maxAgeSeconds === undefined
        ? {}
        : { maxAge: maxAgeSeconds }),
  })
