/** Unknown paths. */
import type { Application, ErrorRequestHandler, Express, RequestHandler } from 'express'
import { type Passages, refuseUnknown } from './passage.ts'
import type { MeantBy } from './server.ts'

type Unknown = { readonly passages: Passages; readonly meantBy: MeantBy; readonly failures: ErrorRequestHandler }

/**
 * Answers 404. A mounted application first passes the request on to later middleware, and answers 404 only if none of
 * it does: the first such request adds a final handler to the outer application.
 */
export const answerUnknown = (app: Express, { passages, meantBy, failures }: Unknown): RequestHandler => {
  const parents: Application[] = []
  let isMounted = false
  app.on('mount', (parent) => {
    isMounted = true
    parents.push(parent)
  })
  const lastly: RequestHandler = (req, res, next) => {
    const passage = passages.find(res)
    if (passage === null) next()
    else failures(refuseUnknown(passage), req, res, next)
  }
  return (req, res, next) => {
    const passage = passages.of(res)
    const { request, group } = passage
    passage.by = { generation: meantBy(request, group !== null) ?? passage.by.generation }
    for (const parent of parents.splice(0)) parent.use(app.mountpath, lastly)
    if (!isMounted && req.baseUrl === '') throw refuseUnknown(passage)
    next()
  }
}
