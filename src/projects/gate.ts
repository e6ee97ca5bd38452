/** Checks before the operations of a project: admission and CORS. */
import type { Config } from '../config/sections.ts'
import { alwaysAnswered } from '../http/app/admission.ts'
import type { HttpAppOptions } from '../http/app/server.ts'
import type { Project } from './project.ts'
import type { Registry } from './registry.ts'

/** With one project, everything is fixed at the start. */
export function createGate(
  { http, projects }: Config,
  registry: Registry,
): Pick<HttpAppOptions, 'opened' | 'admission' | 'corsOf'> {
  if (projects === null) return { admission: registry.get('_')?.admission ?? null }
  const find = (key: string): Project | undefined => registry.get(key) ?? registry.get(key.toLowerCase())
  return {
    opened({ path, project: key }) {
      if (path === alwaysAnswered || find(key) !== undefined || !registry.has(key.toLowerCase())) return null
      // Why it cannot be used, the operation will say.
      return registry.open(key).catch(() => null)
    },
    admission(request, outcome) {
      const admission = find(request.project)?.admission ?? null
      if (admission === null) outcome.enter()
      else admission(request, outcome)
    },
    corsOf(key) {
      const project = find(key)
      return project === undefined ? http.cors : project.config.http.cors
    },
  }
}
