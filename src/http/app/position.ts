/** The position of a client's last write, in headers and cookies: later reads answer from a state at least as new. */
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
