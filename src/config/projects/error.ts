import type { ProjectProblem } from '../../domain/rights/errors.ts'
import { ConfigError } from '../error.ts'

/** An attribute that cannot be used. The message contains no secret. */
export class ProjectError extends Error {
  readonly attribute: string
  readonly problem: ProjectProblem
  readonly expected: string
  readonly got: string

  constructor(attribute: string, expected: string, got: string) {
    super(`${attribute}: expected ${expected}, got ${got}`)
    this.name = 'ProjectError'
    this.attribute = attribute
    this.problem = problemOf(attribute)
    this.expected = expected
    this.got = got
  }
}

function problemOf(attribute: string): ProjectProblem {
  if (/^cache\.(pool\.)?adapter$/.test(attribute)) return 'cache-adapter'
  if (attribute.startsWith('cache.')) return 'cache-settings'
  if (/^storage\.(root|thumb_root)$/.test(attribute)) return 'folder'
  return attribute.startsWith('storage') ? 'storage-settings' : 'settings'
}

/** The error of a setting, as one of the attribute that it came from. */
export function toProjectError(error: unknown, attributes: ReadonlyMap<string, string>): unknown {
  if (!(error instanceof ConfigError)) return error
  const { setting, expected, got } = error
  const object = Object.entries(missing).find(([prefix]) => setting.startsWith(prefix))
  return new ProjectError(attributes.get(setting) ?? object?.[1] ?? setting, expected, got)
}

/** Attributes, or their objects, of settings that the file does not have. */
const missing: { readonly [prefix: string]: string } = {
  DB_USER: 'database.username',
  DB_DATABASE: 'database.name',
  DB_: 'database',
  SECRET: 'auth.secret',
  STORAGE_: 'storage',
  EMAIL_: 'mail',
  CORS_: 'cors',
  RATE_LIMITER_: 'rate_limit',
  ADMIN_: 'admin',
}
