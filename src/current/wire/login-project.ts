/** The project of a login by a provider: the browser that comes and goes sends no header of ours. */

import { readFlowCookie } from '../../http/reply/flow-cookie.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { projectOfFlow, projectOfState } from '../../tokens/flow-tokens.ts'

const pattern = /^\/auth\/login\/([^/]+)(\/callback)?/

/**
 * The project that the address names (`project`), else the one that the state of an answer does; for an answer by form,
 * the one that the cookie of the login does. Null = none. Nothing is trusted: the project verifies what it gets.
 */
export function readLoginProject(request: HttpRequest): string | null {
  if (!request.path.startsWith('/auth/login/')) return null
  const [, provider = '', callback] = pattern.exec(request.path) ?? []
  const parameters = new URLSearchParams(request.url.slice(request.path.length))
  const named = parameters.get('project')
  if (named !== null) return named
  if (callback === undefined) return null
  if (request.method !== 'POST') return projectOfState(parameters.get('state') ?? '')
  return projectOfFlow(readFlowCookie(request, provider) ?? '')
}
