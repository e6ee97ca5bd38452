/** Pages outside the specs: the documentation. */
import type { NextFunction, RequestHandler, Response } from 'express'
import type { InFlightCounter, InFlightRequests } from './in-flight-request.ts'
import type { Sender } from './send.ts'
import type { Page } from './served-generation.ts'

type Serving = { readonly requests: InFlightRequests; readonly inFlight: InFlightCounter; readonly send: Sender }

/** Answers GET if a page exists; otherwise the operations follow. */
export const servePages = (
  pages: { readonly [firstSegment: string]: Page },
  { requests, inFlight, send }: Serving,
): RequestHandler => {
  const answer = async (page: Page, res: Response, next: NextFunction): Promise<void> => {
    const inFlightRequest = requests.of(res)
    inFlight.begin()
    try {
      const reply = await page(inFlightRequest.request.path, inFlightRequest.request)
      if (reply === null) next()
      else await send(res, inFlightRequest, reply)
    } catch (error) {
      next(error)
    } finally {
      inFlight.end()
    }
  }
  return ({ method }, res, next) => {
    const [first = ''] = requests.of(res).request.path.slice(1).split('/', 1)
    const page = Object.hasOwn(pages, first) && (method === 'GET' || method === 'HEAD') ? pages[first] : undefined
    if (page === undefined) next()
    else void answer(page, res, next)
  }
}
