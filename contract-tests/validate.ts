/** Validates values against the JSON schemas of a spec. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema, Spec } from './spec.ts'

/** The problem of a value in one line; null if it is valid. */
export type Validate = (schema: JsonSchema, value: unknown) => string | null

/** Creates the validator of a spec. Schemas are compiled once. */
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

/** The name of an unknown key is only in the parameters of the error. */
function complaint({ instancePath, message, params }: ErrorObject): string {
  const key: unknown = params.additionalProperty ?? ''
  return `${instancePath.replaceAll('/', ' ').trim()} ${message} ${String(key)}`.trim()
}
