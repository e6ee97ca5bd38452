/** What the mock needs of a generation of the server. */
import type { GenerationDefinition } from '../../../src/http/app/generation.ts'
import type { SpecDocument } from '../../../src/http/validation/enforcement.ts'

/** `handlers`: of the operations that are answered from rows; the others answer with the example of the spec. */
export type MockGeneration = Pick<
  GenerationDefinition,
  'routes' | 'handlers' | 'toErrorBody' | 'readCredentials' | 'createView' | 'isClient'
> & { readonly name: 'current' | 'legacy'; readonly spec: SpecDocument }
