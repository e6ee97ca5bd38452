/** What stands before the operations by project: admission and CORS. */
import type { Config } from '../config/sections.ts'
import { alwaysAnswered } from '../http/app/admission.ts'
import type { HttpAppOptions } from '../http/app/server.ts'
import { readProjectHeader } from '../http/request/project-header.ts'
import type { HttpRequest } from '../http/request/request.ts'
import type { Project } from './open-project.ts'
import type { Registry } from './registry.ts'

type RequestTarget = Pick<HttpRequest, 'path' | 'headers'>

/** With one project, everything is fixed at the start. */
export function createGate(
  { http, projects }: Config,
  registry: Registry,
): Pick<HttpAppOptions, 'opened' | 'admission' | 'corsOf'> {
  if (projects === null) return { admission: registry.get('_')?.admission ?? null }
  const find = (target: RequestTarget): Project | undefined => registry.get(keyOf(target, registry))
  return {
    opened(asked) {
      const key = keyOf(asked, registry)
      if (asked.path === alwaysAnswered || registry.get(key) !== undefined || !registry.has(key)) return null
      // Why it cannot be used, the operation will say.
      return registry.open(key).catch(() => null)
    },
    admission(request, outcome) {
      const admission = find(request)?.admission ?? null
      if (admission === null) outcome.enter()
      else admission(request, outcome)
    },
    corsOf(asked) {
      const project = find(asked)
      return project === undefined ? http.cors : project.config.http.cors
    },
  }
}

/** The project in the path, else that of the header. Nothing is verified here. */
function keyOf({ path, headers }: RequestTarget, registry: Registry): string {
  const end = path.indexOf('/', 1)
  const first = (end < 0 ? path.slice(1) : path.slice(1, end)).toLowerCase()
  return registry.has(first) ? first : (readProjectHeader(headers)?.toLowerCase() ?? '_')
}
