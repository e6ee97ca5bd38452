/** Validates values against the JSON schemas of a spec. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema, Spec } from './spec.ts'

/** The problem of a value in one line; null if it is valid. */
export type Validate = (schema: JsonSchema, value: unknown) => string | null

const known = new WeakMap<Pick<Spec, 'components'>, Validate>()

/** The validator of a spec. Schemas are compiled once for all test files of a process, those of components too. */
export function createValidate(spec: Pick<Spec, 'components'>): Validate {
  const validate = known.get(spec) ?? compileLazily(spec)
  known.set(spec, validate)
  return validate
}

function compileLazily({ components }: Pick<Spec, 'components'>): Validate {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const { schemas = {} } = components as { readonly schemas?: { readonly [name: string]: JsonSchema } }
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, `#/components/schemas/${name}`)
  const compiled = new Map<JsonSchema, ValidateFunction>()
  return (schema, value) => {
    const check = compiled.get(schema) ?? ajv.compile({ ...schema })
    compiled.set(schema, check)
    return check(value) ? null : (check.errors ?? []).map(complaint).join(', ')
  }
}

/** The name of an unknown key is only in the parameters of the error. */
function complaint({ instancePath, message, params }: ErrorObject): string {
  const key: unknown = params.additionalProperty ?? ''
  return `${instancePath.replaceAll('/', ' ').trim()} ${message} ${String(key)}`.trim()
}
