/** Security headers of every answer, set by helmet. */
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import type { HttpSettings } from '../settings.ts'

export const securityHeaders = ({ hsts }: Pick<HttpSettings, 'hsts'>): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      // A server on plain HTTP (a local network) must not have requests to itself upgraded.
      directives: {
        'upgrade-insecure-requests': null,
        'style-src': ["'self'", "'unsafe-inline'"],
        'font-src': ["'self'"],
      },
    },
    strictTransportSecurity: hsts === null ? false : { maxAge: hsts },
  })
