/** Next.js, `app/me/route.ts`: a route that acts as the user whose session is in a cookie. */
import { cookieStorage, createCurrentClient, isApiError, users } from '@tandem/sdk/current'

export async function GET(request: Request): Promise<Response> {
  const headers = new Headers()
  const storage = cookieStorage({
    read: () => request.headers.get('cookie') ?? '',
    write: (cookie) => headers.append('set-cookie', `${cookie}; HttpOnly`),
  })
  const url = process.env['TANDEM_URL'] ?? 'http://127.0.0.1:8055'
  const client = createCurrentClient({ url, storage }).with({ users })
  try {
    // A renewed session goes back to the browser with the answer.
    return Response.json(await client.users.readMe({ fields: ['first_name', 'email'] }), { headers })
  } catch (error) {
    if (isApiError(error)) return Response.json({ code: error.code }, { status: error.status, headers })
    throw error
  }
}
