/** Errors in the form of SCIM (RFC 7644, section 3.12). */
import { type Failure, TandemError } from '../domain/rights/errors.ts'
import type { ErrorAnswer } from '../http/app/served-generation.ts'

export const scimMedia = 'application/scim+json'

export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness'

export class ScimError extends TandemError {
  readonly scimType: ScimType

  constructor(scimType: ScimType, name: string, reason: string, cause?: unknown) {
    super({ kind: scimType === 'invalidFilter' ? 'invalid-query' : 'invalid-payload', name, reason }, { cause })
    this.scimType = scimType
  }
}

/** The answer to a failed request, made of that of the generation; null stands for an unexpected error. */
export function toScimError(error: TandemError | null, { status: usual, body, headers }: ErrorAnswer): ErrorAnswer {
  const scimType = error === null ? undefined : scimTypeOf(error)
  const status = statusOf(usual, error?.failures[0].kind)
  const detail = (body as { readonly error: { readonly message: string } }).error.message
  return {
    status,
    ...(headers === undefined ? {} : { headers }),
    type: scimMedia,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(scimType === undefined ? {} : { scimType }),
      detail,
    },
  }
}

/** SCIM has no 422, and statuses of its own for missing and duplicate resources. */
function statusOf(usual: number, kind: Failure['kind'] | undefined): number {
  if (kind === 'not-unique') return 409
  if (kind === 'item-not-found' || kind === 'route-not-found') return 404
  return usual === 422 ? 400 : usual
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
