/** The settings of the HTTP server. */
import type { CorsSettings, HttpSettings } from '../../http/settings.ts'
import type { Values } from '../settings.ts'

/** Headers that browsers need for resumable uploads. */
const tusHeaders = {
  sent: [
    'Tus-Resumable',
    'Upload-Checksum',
    'Upload-Defer-Length',
    'Upload-Length',
    'Upload-Metadata',
    'Upload-Offset',
  ],
  read: [
    'Location',
    'Platform-File-Id',
    'Tus-Resumable',
    'Tus-Version',
    'Upload-Defer-Length',
    'Upload-Expires',
    'Upload-Length',
    'Upload-Offset',
  ],
} as const

export function toHttp(values: Values): HttpSettings & { readonly host: string; readonly port: number } {
  const origin = values.CORS_ORIGIN
  // Clients of other origins read their own writes, too.
  const position = (values.DB_READ_REPLICAS ?? '').trim() === '' ? [] : ['X-Tandem-Position']
  const cors: CorsSettings | null =
    values.CORS_ENABLED && origin !== false
      ? {
          origin,
          methods: values.CORS_METHODS,
          allowedHeaders: [...values.CORS_ALLOWED_HEADERS, ...(values.TUS_ENABLED ? tusHeaders.sent : []), ...position],
          exposedHeaders: [...values.CORS_EXPOSED_HEADERS, ...(values.TUS_ENABLED ? tusHeaders.read : []), ...position],
          credentials: values.CORS_CREDENTIALS && origin !== true,
          maxAge: values.CORS_MAX_AGE,
        }
      : null
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    maxPayload: values.MAX_PAYLOAD_SIZE,
    maxSchema: values.MAX_SCHEMA_SIZE,
    trustProxy: values.IP_TRUST_PROXY,
    strictQuery: values.STRICT_QUERY,
    validateResponses: values.VALIDATE_RESPONSES,
    serverTiming: values.SERVER_TIMING ?? values.NODE_ENV === 'development',
    cors,
    hsts: values.HSTS_ENABLED ? values.HSTS_MAX_AGE : null,
  }
}
