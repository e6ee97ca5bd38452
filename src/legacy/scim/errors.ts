/** Errors in the form of SCIM (RFC 7644, section 3.12). */
import { type Failure, TandemError } from '../../domain/rights/errors.ts'
import type { ErrorAnswer } from '../../http/app/served-generation.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { toErrorBody } from '../wire/errors.ts'

/** The media type of SCIM. */
export const scimMedia = 'application/scim+json'

/** What SCIM calls an error. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness'

/** An error that has a name in SCIM. */
export class ScimError extends TandemError {
  readonly scimType: ScimType

  constructor(scimType: ScimType, name: string, reason: string, cause?: unknown) {
    super({ kind: scimType === 'invalidFilter' ? 'invalid-query' : 'invalid-payload', name, reason }, { cause })
    this.scimType = scimType
  }
}

/** Whether the request is for SCIM. */
export const isScim = ({ path }: Pick<HttpRequest, 'path'>): boolean => /^\/[^/]+\/scim(?:\/|$)/i.test(path)

/** The answer to a failed request; null stands for an unexpected error. */
export function toScimError(error: TandemError | null, request: HttpRequest): ErrorAnswer {
  const { status: usual, body, headers } = toErrorBody(error, request)
  // SCIM knows no 422.
  const status = usual === 422 ? 400 : usual
  const scimType = error === null ? undefined : scimTypeOf(error)
  const detail = (body as { readonly error: { readonly message: string } }).error.message
  return {
    status,
    headers,
    type: scimMedia,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(scimType === undefined ? {} : { scimType }),
      detail,
    },
  }
}

/** An error may have been wrapped for its reader. */
function scimTypeOf(error: TandemError): ScimType | undefined {
  if (error instanceof ScimError) return error.scimType
  if (error.cause instanceof ScimError) return error.cause.scimType
  return usualType(error.failures[0])
}

function usualType(failure: Failure): ScimType | undefined {
  switch (failure.kind) {
    case 'not-unique':
      return 'uniqueness'
    case 'invalid-query':
      return failure.name === 'filter' ? 'invalidFilter' : 'invalidValue'
    case 'invalid-payload':
      return failure.name === undefined ? 'invalidSyntax' : 'invalidValue'
    case 'failed-validation':
    case 'value-too-long':
    case 'value-out-of-range':
    case 'not-null':
    case 'unprocessable':
      return 'invalidValue'
    default:
      return undefined
  }
}
