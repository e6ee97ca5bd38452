/** The cases of a spec: those that the verifier derives, and those that need the data of the world. */
import { casesOf as derivedCases } from '../verify/src/cases/cases.ts'
import { oncePerQuestion } from '../verify/src/cases/questions.ts'
import type { Operation, Spec } from '../verify/src/spec/operations.ts'
import type { Validate } from '../verify/src/spec/validate.ts'
import { type DataFaults, dataCases, type WorldCase } from './data-cases.ts'

export function casesOf(spec: Spec, validate: Validate, faults: DataFaults): readonly WorldCase[] {
  const all = spec.operations.flatMap((operation) => [
    ...derivedCases(spec, validate, operation)
      .filter(({ name }) => name !== '__proto__' || !isShared(operation))
      .map((each): WorldCase => ({ ...each, as: 'admin' })),
    ...dataCases(operation, faults),
  ])
  return oncePerQuestion(all)
}

/** Paths of both specs. Requests without a sign of a legacy client get errors of the current generation. */
const isShared = ({ generation, path }: Operation): boolean =>
  generation === 'legacy' && /^\/server\/(ping|info)$/.test(path)
