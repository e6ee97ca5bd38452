/** Unknown paths. */
import type { Application, ErrorRequestHandler, Express, RequestHandler } from 'express'
import { type InFlightRequests, refuseUnknown } from './in-flight-request.ts'
import type { MeantBy } from './served-generation.ts'

type Unknown = {
  readonly requests: InFlightRequests
  readonly meantBy: MeantBy
  readonly failures: ErrorRequestHandler
}

/**
 * Answers 404. A mounted application first passes the request on to later middleware, and answers 404 only if none of
 * it does: the first such request adds a final handler to the outer application.
 */
export const answerUnknown = (app: Express, { requests, meantBy, failures }: Unknown): RequestHandler => {
  const parents: Application[] = []
  let isMounted = false
  app.on('mount', (parent) => {
    isMounted = true
    parents.push(parent)
  })
  const lastly: RequestHandler = (req, res, next) => {
    const inFlight = requests.find(res)
    if (inFlight === null) next()
    else failures(refuseUnknown(inFlight), req, res, next)
  }
  return (req, res, next) => {
    const inFlight = requests.of(res)
    const { request, group } = inFlight
    inFlight.by = { generation: meantBy(request, group !== null) ?? inFlight.by.generation }
    for (const parent of parents.splice(0)) parent.use(app.mountpath, lastly)
    if (!isMounted && req.baseUrl === '') throw refuseUnknown(inFlight)
    next()
  }
}
