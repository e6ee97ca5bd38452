/** The state of a request on its way through the application. */
import type { Response } from 'express'
import { TandemError } from '../../domain/rights/errors.ts'
import type { HttpRequest } from '../request/request.ts'
import type { InputRules } from '../validation/input.ts'
import type { Group } from './dispatch.ts'
import type { Served } from './served.ts'
import type { Generation } from './served-generation.ts'

/** Which generation formats errors, and which route's spec the answer must match. */
export type Answering = {
  readonly generation: Generation
  readonly operationId?: string
  readonly rules?: InputRules
}

export type InFlightRequest = {
  readonly request: HttpRequest
  /** Candidate paths for the request. */
  readonly group: Group<Served> | null
  by: Answering
}

/** Keeps the requests of one Tandem application; two of them may be mounted in one Express application. */
export type InFlightRequests = {
  readonly open: (res: Response, inFlight: InFlightRequest) => void
  /** Throws if the request did not pass through the application. */
  readonly of: (res: Response) => InFlightRequest
  readonly find: (res: Response) => InFlightRequest | null
}

export const createInFlightRequests = (): InFlightRequests => {
  const key = Symbol('tandem')
  const find = ({ locals }: Response): InFlightRequest | null => (locals as { [key]?: InFlightRequest })[key] ?? null
  return {
    open: ({ locals }, inFlight) => {
      ;(locals as { [key]?: InFlightRequest })[key] = inFlight
    },
    of: (res) => {
      const found = find(res)
      if (found === null) throw new Error('The request did not pass through the application')
      return found
    },
    find,
  }
}

/** The error for a request without a matching operation. */
export const refuseUnknown = ({ request, group }: InFlightRequest): TandemError => {
  const isInProject = group?.first.route.path.startsWith('/{') === true
  return new TandemError({ kind: 'route-not-found', path: request.path, isInProject })
}
