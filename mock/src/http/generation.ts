/** What the mock needs of a generation of the server. */
import type { GenerationDefinition } from '../../../src/http/app/generation.ts'
import type { SpecDocument } from '../../../src/http/validation/enforcement.ts'

/** `handlers`: of the operations that are answered from rows; the others answer with the example of the spec. */
export type MockGeneration = Pick<
  GenerationDefinition,
  'routes' | 'handlers' | 'toErrorBody' | 'readCredentials' | 'createView' | 'isClient'
> & { readonly name: 'current' | 'legacy'; readonly spec: SpecDocument }

export const only = <Handlers extends object, Id extends keyof Handlers>(
  handlers: Handlers,
  ids: readonly Id[],
): Pick<Handlers, Id> => Object.fromEntries(ids.map((id) => [id, handlers[id]])) as Pick<Handlers, Id>

export const without = <Handlers extends object, Id extends keyof Handlers>(
  handlers: Handlers,
  ids: readonly Id[],
): Omit<Handlers, Id> =>
  Object.fromEntries(Object.entries(handlers).filter(([id]) => !(ids as readonly PropertyKey[]).includes(id))) as Omit<
    Handlers,
    Id
  >
