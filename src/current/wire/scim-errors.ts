/** Errors of this generation, in the form of SCIM where a request is for SCIM. */
import type { TandemError } from '../../domain/rights/errors.ts'
import type { ErrorAnswer } from '../../http/app/served-generation.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { toScimError } from '../../scim/errors.ts'
import { toErrorBody } from './errors.ts'

const scimPath = /^\/scim\/v2(?:\/|$)/i

/** The answer to a failed request. */
export function toAnyErrorBody(error: TandemError | null, request: HttpRequest): ErrorAnswer {
  const usual = toErrorBody(error, request)
  return scimPath.test(request.path) ? toScimError(error, usual) : usual
}
