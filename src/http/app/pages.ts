/** Pages outside the specs: the documentation. */
import type { NextFunction, RequestHandler, Response } from 'express'
import type { Passages } from './passage.ts'
import type { Sender } from './send.ts'
import type { Page } from './server.ts'
import type { Underway } from './underway.ts'

type Serving = { readonly passages: Passages; readonly underway: Underway; readonly send: Sender }

/** Answers GET if a page exists; otherwise the operations follow. */
export const servePages = (
  pages: { readonly [firstSegment: string]: Page },
  { passages, underway, send }: Serving,
): RequestHandler => {
  const answer = async (page: Page, res: Response, next: NextFunction): Promise<void> => {
    const passage = passages.of(res)
    underway.begin()
    try {
      const reply = await page(passage.request.path, passage.request)
      if (reply === null) next()
      else await send(res, passage, reply)
    } catch (error) {
      next(error)
    } finally {
      underway.end()
    }
  }
  return ({ method }, res, next) => {
    const [first = ''] = passages.of(res).request.path.slice(1).split('/', 1)
    const page = Object.hasOwn(pages, first) && (method === 'GET' || method === 'HEAD') ? pages[first] : undefined
    if (page === undefined) next()
    else void answer(page, res, next)
  }
}
