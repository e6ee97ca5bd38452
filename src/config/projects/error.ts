/** Errors in the configuration of a project. */
import type { ProjectProblem } from '../../domain/rights/errors.ts'
import { ConfigError } from '../error.ts'

/** An attribute that cannot be used. The message contains no secret. */
export class ProjectError extends Error {
  readonly attribute: string
  readonly problem: ProjectProblem

  constructor(attribute: string, expected: string, got: string) {
    super(`${attribute}: expected ${expected}, got ${got}`)
    this.name = 'ProjectError'
    this.attribute = attribute
    this.problem = problemOf(attribute)
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
  return new ProjectError(attributes.get(error.setting) ?? error.setting, error.expected, error.got)
}
