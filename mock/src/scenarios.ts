/** Fates of requests, by name: delays, refusals and failures. */

import type { ScenarioName, ScenarioOptions } from './api.ts'

const usualDelay = 2000

/** The latest scenario for the operation counts, else the latest for all. */
export function createScenarios() {
  const byOperation = new Map<string | null, { readonly name: ScenarioName; readonly delay: number }>()
  return {
    set: (name: ScenarioName | null, { operation, delay = usualDelay }: ScenarioOptions = {}): void => {
      if (name === null) byOperation.clear()
      else byOperation.set(operation ?? null, { name, delay })
    },
    /** The answer in place of the operation's own; null if there is none. */
    meet: async (operation: string | null): Promise<Response | null> => {
      const scenario = byOperation.get(operation) ?? byOperation.get(null)
      if (scenario === undefined) return null
      if (scenario.name !== 'slow') return fates[scenario.name]()
      await new Promise((resolve) => setTimeout(resolve, scenario.delay))
      return null
    },
  }
}

const failure = (status: number, code: string, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { code, message }, errors: [{ message, extensions: { code } }] }, { status, headers })

const fates: { readonly [Name in Exclude<ScenarioName, 'slow'>]: () => Response } = {
  'rate-limited': () => failure(429, 'REQUESTS_EXCEEDED', 'Too many requests.', { 'retry-after': '1' }),
  'server-error': () => failure(500, 'INTERNAL_SERVER_ERROR', 'An unexpected error occurred.'),
  unavailable: () => failure(503, 'SERVICE_UNAVAILABLE', 'The service is unavailable.', { 'retry-after': '1' }),
  offline: () => Response.error(),
}
