/** The header that names a project. */
import type { HttpRequest } from './request.ts'

type Headers = Pick<HttpRequest, 'headers'>['headers']

const usual = 'x-platform-project'
const pattern = /^x-[a-z0-9]+-project$/

/** Whether the header names a project: `X-Platform-Project`, or any word in the place of `Platform`. */
const isProjectHeader = (name: string): boolean => name.endsWith('-project') && pattern.test(name)

/** The project that the headers name; undefined if none. `X-Platform-Project` comes first. */
export function readProjectHeader(headers: Headers): string | undefined {
  const value = headers[usual] ?? headers[findName(headers) ?? usual]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Whether there is such a header besides `but`. */
export const hasProjectHeader = (headers: Headers, but?: string): boolean => findName(headers, but) !== undefined

function findName(headers: Headers, but?: string): string | undefined {
  for (const name in headers) if (name !== but && isProjectHeader(name)) return name
  return undefined
}
