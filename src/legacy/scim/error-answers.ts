/** Errors of this generation, in the form of SCIM where a request is for SCIM. */
import type { TandemError } from '../../domain/rights/errors.ts'
import type { ErrorAnswer } from '../../http/app/served-generation.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { toScimError } from '../../scim/errors.ts'
import { toErrorBody } from '../wire/errors.ts'

const scimPath = /^\/[^/]+\/scim(?:\/|$)/i

/** The answer to a failed request, in the form of SCIM if it is for SCIM. */
export function toAnyErrorBody(error: TandemError | null, request: HttpRequest, isOfDatabase = false): ErrorAnswer {
  const usual = toErrorBody(error, request, isOfDatabase)
  return scimPath.test(request.path) ? toScimError(error, usual) : usual
}
