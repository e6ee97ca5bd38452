import { checkAnswers } from '@tandem/sdk/check'
import { createCurrentClient } from '@tandem/sdk/current'

type Schema = { articles: { id: number; title: string }[] }

/** A client for development: each answer is compared with the spec of the project. */
export function checkedClient(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const spec = fetch(`${url}/server/specs/oas`, { headers }).then((response) => response.json() as Promise<object>)
  return createCurrentClient<Schema>({ url, token, ...checkAnswers(spec) })
}
