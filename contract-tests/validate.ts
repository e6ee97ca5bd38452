/** The validators of the specs, compiled once for all test files of a process. */
import { createValidate as compile, type Validate } from '../verify/src/spec/validate.ts'
import type { Spec } from './spec.ts'

export type { Validate } from '../verify/src/spec/validate.ts'

const known = new WeakMap<Pick<Spec, 'components'>, Validate>()

export function createValidate(spec: Pick<Spec, 'components'>): Validate {
  const validate = known.get(spec) ?? compile(spec)
  known.set(spec, validate)
  return validate
}
