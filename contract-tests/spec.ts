/** The specs of both generations. */
import currentSpec from '../src/generated/current-spec.json' with { type: 'json' }
import legacySpec from '../src/generated/legacy-spec.json' with { type: 'json' }

import { type Spec, toSpec } from '../verify/src/spec/operations.ts'

export const specs: readonly Spec[] = [toSpec(currentSpec, 'current'), toSpec(legacySpec, 'legacy')]
