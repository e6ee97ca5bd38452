/** How far the last write of a client has come, told by headers and cookies: later reads are answered with it. */
import { positionCookie, positionHeader } from '../request/position-names.ts'
import type { HttpRequest } from '../request/request.ts'

/** Adds the position to the answer. A position that cannot be read is left out: the write has succeeded. */
export async function tellPosition(request: HttpRequest, read: () => Promise<string>): Promise<void> {
  const position = await read().catch(() => null)
  if (position === null) return
  request.tell?.({ [positionHeader]: position })
  if (Object.keys(request.cookies).length > 0)
    request.setCookie?.(`${positionCookie}=${position}; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax`)
}
