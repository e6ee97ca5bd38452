/** Paths that no operation and no page fits. */
import type { Application, ErrorRequestHandler, Express, RequestHandler } from 'express'
import { type Passages, refuseUnknown } from './passage.ts'
import type { MeantBy } from './server.ts'

type Unknown = { readonly passages: Passages; readonly meantBy: MeantBy; readonly failures: ErrorRequestHandler }

/**
 * Answers 404. Where the application is mounted in another one, the request goes on to what stands behind it, and gets
 * the 404 when nothing there answers: at the first such request it is put behind everything.
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
