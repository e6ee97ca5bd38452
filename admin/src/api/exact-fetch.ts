/** Requests whose JSON keeps the digits of its numbers. */
import { withMarks, withoutMarks } from '../model/exact-numbers.ts'

export const exactFetch: typeof fetch = async (input, init) => {
  const { body } = init ?? {}
  const response = await fetch(input, typeof body === 'string' ? { ...init, body: withoutMarks(body) } : init)
  const { status, statusText, headers } = response
  if (!response.ok || !headers.get('content-type')?.startsWith('application/json')) return response
  return new Response(withMarks(await response.text()), { status, statusText, headers })
}
