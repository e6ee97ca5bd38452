/** Cross-origin requests (CORS), with the `cors` library. */

import type { IncomingHttpHeaders } from 'node:http'
import cors from 'cors'
import type { RequestHandler, Response } from 'express'
import { memoizeBy } from '../../domain/memoize.ts'
import type { CorsSettings } from '../settings.ts'

/** Answers preflight requests and sets the CORS headers of all other answers. */
export const allowOrigins = (settings: CorsSettings): RequestHandler =>
  cors((req, done) => done(null, corsOptions(settings, requestedHeaders(req))))

/** The CORS settings of a project; null = none. */
export type CorsOf = (project: string) => CorsSettings | null

/** The same where the settings depend on the project. */
export const allowOriginsBy = (corsOf: CorsOf, projectOf: (res: Response) => string): RequestHandler => {
  const makeFor = memoizeBy(allowOrigins)
  return (req, res, next) => {
    const settings = corsOf(projectOf(res))
    if (settings === null) next()
    else makeFor(settings)(req, res, next)
  }
}

/** Origins that the operator lists and allows to send cookies: their pages may act as the user. */
export const trustedOrigins = (settings: CorsSettings | null): readonly string[] =>
  settings === null || !settings.credentials || settings.origin === true || settings.origin.includes('*')
    ? noOrigins
    : settings.origin

const noOrigins: readonly string[] = []

/** A reflected origin never allows credentials; otherwise every page could act as the user. */
const corsOptions = (settings: CorsSettings, names: readonly string[]): cors.CorsOptions => ({
  origin: settings.origin === true ? true : [...settings.origin],
  methods: [...settings.methods],
  allowedHeaders: settings.allowedHeaders.flatMap((each) => (each.includes('*') ? namesLike(each, names) : [each])),
  exposedHeaders: [...settings.exposedHeaders],
  credentials: trustedOrigins(settings).length > 0,
  maxAge: settings.maxAge,
})

/** Header names that a preflight request asks for. */
const requestedHeaders = ({ headers }: { readonly headers: IncomingHttpHeaders }): readonly string[] =>
  (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim())

/** `X-*-Project` matches every name with one word in place of the star. */
const namesLike = (pattern: string, names: readonly string[]): readonly string[] => {
  const [before = '', after = ''] = pattern.toLowerCase().split('*')
  return names.filter((name) => {
    const word = name.toLowerCase().startsWith(before) ? name.slice(before.length, name.length - after.length) : ''
    return /^[a-z0-9]{1,50}$/i.test(word) && name.toLowerCase() === `${before}${word.toLowerCase()}${after}`
  })
}
