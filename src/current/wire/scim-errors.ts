/** Errors of this generation, in the form of SCIM or of `directus-sync` where a request is for these. */
import type { TandemError } from '../../domain/rights/errors.ts'
import type { ErrorAnswer } from '../../http/app/served-generation.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { toScimError } from '../../scim/errors.ts'
import { toErrorBody } from './errors.ts'

const syncPath = /^\/directus-extension-sync(?:\/|$)/i

const scimPath = /^\/scim\/v2(?:\/|$)/i

export function toAnyErrorBody(error: TandemError | null, request: HttpRequest): ErrorAnswer {
  const usual = toErrorBody(error, request)
  if (scimPath.test(request.path)) return toScimError(error, usual)
  return syncPath.test(request.path) ? withSyncMessage(usual) : usual
}

/** The tool `directus-sync` reads `message`, and looks for this text. */
function withSyncMessage({ body, ...answer }: ErrorAnswer): ErrorAnswer {
  const message = answer.status === 404 ? 'No id map found' : (body as { error: { message: string } }).error.message
  return { ...answer, body: { ...(body as object), message } }
}
