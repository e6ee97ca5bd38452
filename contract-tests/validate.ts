/** JSON Schema validation against the schemas of a spec. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema, Spec } from './spec.ts'

/** What is wrong with a value, in one line; null when it fits. */
export type Validate = (schema: JsonSchema, value: unknown) => string | null

/** Makes the validator of a spec. Schemas are compiled once. */
export function createValidate(spec: Pick<Spec, 'components'>): Validate {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const compiled = new Map<JsonSchema, ValidateFunction>()
  return (schema, value) => {
    const check = compiled.get(schema) ?? ajv.compile({ ...schema, components: spec.components })
    compiled.set(schema, check)
    return check(value) ? null : (check.errors ?? []).map(complaint).join(', ')
  }
}

/** Unknown keys are named in the parameters of an error only. */
function complaint({ instancePath, message, params }: ErrorObject): string {
  const key: unknown = params.additionalProperty ?? ''
  return `${instancePath.replaceAll('/', ' ').trim()} ${message} ${String(key)}`.trim()
}
