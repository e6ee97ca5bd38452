/** Entity tags of what was read: a write is refused when somebody else has written in between. */
import type { Identifier } from 'react-admin'

const tags = new Map<string, string>()

const nameOf = (resource: string, id: Identifier): string => `${resource}/${id}`

export function rememberTag(resource: string, id: Identifier, { headers }: Response): void {
  const tag = headers.get('etag')
  if (tag === null) tags.delete(nameOf(resource, id))
  else tags.set(nameOf(resource, id), tag)
}

export const ifMatch = (resource: string, id: Identifier): { readonly [header: string]: string } => {
  const tag = tags.get(nameOf(resource, id))
  return tag === undefined ? {} : { 'if-match': tag }
}
