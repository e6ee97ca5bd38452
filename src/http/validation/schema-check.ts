/** Validates values other than request bodies against a schema of a spec. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import type { SpecDocument } from './enforcement.ts'

/** `place`: the path as one text. */
type SchemaFault = { readonly location: string; readonly path: readonly string[]; readonly reason: string }

/** Returns the error and its place; null if the value is valid. */
export type SchemaCheck = (value: unknown) => SchemaFault | null

/** The check for a component schema, compiled on first use. */
export function createSchemaCheck(spec: SpecDocument, name: string): SchemaCheck {
  let compiled: ReturnType<Ajv2020['compile']> | null = null
  return (value) => {
    compiled ??= compile(spec, name)
    if (compiled(value) === true) return null
    const [error] = compiled.errors ?? []
    const path = pathOf(error)
    return { location: path.join('.'), path, reason: reasonOf(error) }
  }
}

function compile(spec: SpecDocument, name: string): ReturnType<Ajv2020['compile']> {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'spec', components: spec.components })
  return ajv.compile({ $ref: `spec#/components/schemas/${name}` })
}

const pathOf = (error: ErrorObject | undefined): readonly string[] =>
  (error?.instancePath ?? '')
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

function reasonOf(error: ErrorObject | undefined): string {
  const { keyword, message = 'does not match the schema', params = {} } = error ?? {}
  const facts = params as { readonly additionalProperty?: string; readonly allowedValues?: readonly unknown[] }
  if (keyword === 'additionalProperties') return `"${facts.additionalProperty}" is not known here`
  if (keyword === 'enum')
    return `must be one of ${(facts.allowedValues ?? []).map((each) => JSON.stringify(each)).join(', ')}`
  return message
}
