import { choice, flag, optional, type Setting, secret, setting, text } from '../kinds.ts'
import { url } from '../kinds-network.ts'

/** The settings of each entry of STORAGE_LOCATIONS, named STORAGE_<NAME>_DRIVER and so on. */
export const locationSettings = {
  DRIVER: setting('local (a folder) or s3 (a bucket).', choice('local', 's3'), 'local'),
  ROOT: optional('The folder, by default `uploads` in DATA_DIR; or a folder in the bucket.', text),
  BUCKET: optional('Name of the bucket.', text),
  KEY: secret('Access key of the bucket.'),
  SECRET: secret('Secret of the access key.'),
  REGION: setting('Region of the bucket.', text, 'us-east-1'),
  ENDPOINT: optional('URL of the S3 server.', url),
  FORCE_PATH_STYLE: setting('Name the bucket in the path instead of the host.', flag, 'false'),
  ACL: optional('Canned ACL of new objects.', text),
  SERVER_SIDE_ENCRYPTION: optional('How the server encrypts new objects.', text),
} as const

export type LocationValues = {
  readonly [K in keyof typeof locationSettings]: (typeof locationSettings)[K] extends Setting<infer T> ? T : never
}
