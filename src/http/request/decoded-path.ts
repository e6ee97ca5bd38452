/** Decodes the path of a URL once, before anything looks at it. */
import type { RequestHandler } from 'express'

/** Characters that mean the same encoded and plain (RFC 3986, section 2.3). */
const unreserved = /^[A-Za-z0-9._~-]$/

/**
 * The URL with the unreserved characters of its path decoded (RFC 3986, section 6.2.2.2). Routes, projects and limits
 * then see one spelling of each path. Other characters stay encoded, so that the path has the same segments.
 * @example decodeUnreserved('/%61/items/a%2Fb?x=%61') // '/a/items/a%2Fb?x=%61'
 */
export const decodeUnreserved = (url: string): string => {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  return path.includes('%') ? path.replaceAll(/%[0-9a-f]{2}/gi, decode) + url.slice(path.length) : url
}

const decode = (code: string): string => {
  const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
  return unreserved.test(character) ? character : code
}

export const decodePath: RequestHandler = (req, _res, next) => {
  req.url = decodeUnreserved(req.url)
  next()
}
