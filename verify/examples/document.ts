/** A document with one operation, in which one part differs. */
import type { Severity } from '../src/diff/change.ts'

type Schema = { readonly [keyword: string]: unknown } | boolean

type Parts = {
  readonly sent?: Schema
  readonly answered?: Schema
  readonly parameter?: object
  readonly operation?: object
  readonly body?: object | null
  readonly answer?: object
  readonly responses?: object
  readonly root?: object
  readonly paths?: object
}

export const day = (year: number): string => `${year}-01-01`
export const object = (properties: object, more: object = {}): Schema => ({ type: 'object', properties, ...more })
const value = (name: 'sent' | 'answered', schema: Schema): Parts => ({ [name]: object({ name: schema }) })
const pair = (name: 'sent' | 'answered', before: Schema, after: Schema) =>
  [value(name, before), value(name, after)] as const
export const sent = (before: Schema, after: Schema) => pair('sent', before, after)
export const answered = (before: Schema, after: Schema) => pair('answered', before, after)
export const parameter = (schema: Schema, more: object = {}): Parts => ({
  parameter: { name: 'limit', in: 'query', schema, ...more },
})
export const operation = (more: object): Parts => ({ operation: more })

export const json = (schema: Schema): object => ({ 'application/json': { schema } })

export function documentWith({ sent: request = {}, answered: response = {}, ...parts }: Parts): string {
  const { parameter: one, body = { required: true, content: json(request) }, responses = {}, paths, root } = parts
  const item = {
    post: {
      operationId: 'createThing',
      parameters: one === undefined ? [] : [one],
      ...(body === null ? {} : { requestBody: body }),
      responses: { 200: { description: 'A thing.', content: json(response), ...parts.answer }, ...responses },
      ...parts.operation,
    },
  }
  return JSON.stringify({ openapi: '3.1.0', paths: paths ?? { '/things': item }, ...root })
}

export type Row = readonly [what: string, change: readonly [Parts, Parts], severity: Severity | 'none']

export const text = { type: 'string' }
export const number = { type: 'integer' }
export const required = { required: ['name'] }
export const header = (more: object) => ({ answer: { headers: { 'X-Rate': { schema: number, ...more } } } })
export const scheme = (more: object, security: readonly object[] = [{ key: [] }]): Parts => ({
  root: {
    security,
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key', ...more } } },
  },
})
export const flows = (more: object): Parts =>
  scheme({ type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://a.example', scopes: {}, ...more } } })
export const kinds = (name: 'oneOf' | 'anyOf', ...schemas: readonly Schema[]): Schema => ({ [name]: schemas })
export const node = (schema: object): Parts => ({
  sent: { $ref: '#/components/schemas/Node' },
  root: {
    components: { schemas: { Node: object({ name: schema, above: { $ref: '#/components/schemas/Node' } }) } },
  },
})
