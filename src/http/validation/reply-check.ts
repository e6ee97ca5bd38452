/** Validates answers against the spec. Schemas are compiled when they are first needed, once per spec. */

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { memoizeBy } from '../../domain/memoize.ts'
import { lookUp, type Node, type SpecDocument } from './enforcement.ts'

export type ReplyParts = { readonly status: number; readonly type: string | null; readonly value: unknown }

/** Returns why the spec does not allow the answer; null if it does. */
export type ReplyCheck = (reply: ReplyParts) => string | null

export function createReplyCheck(spec: SpecDocument, { path, method }: { path: string; method: string }): ReplyCheck {
  const operation = (spec.paths as Node)[path] as { readonly [method: string]: { readonly responses: Node } }
  const { responses = {} } = operation[method.toLowerCase()] ?? {}
  return (reply) => {
    const declared = responses[String(reply.status)] as Node | undefined
    if (declared === undefined) return `the status ${reply.status} is not in the spec`
    const { $ref: ref } = declared
    const { content } = (typeof ref === 'string' ? lookUp(spec, ref) : declared) as { content?: Content }
    return findFault(compilerOf(spec), content, reply)
  }
}

type Content = { readonly [media: string]: { readonly schema?: object } }
type Compile = (schema: object) => ValidateFunction

function findFault(compile: Compile, content: Content | undefined, { type, value }: ReplyParts): string | null {
  if (content === undefined) return value === undefined ? null : 'it has a body, which the spec does not declare'
  if (Object.hasOwn(content, '*/*')) return null
  if (type === null) return 'it has no body, although the spec declares one'
  const media = type.split(';', 1)[0] ?? ''
  const { [media]: declared } = content
  if (declared === undefined) return `the media type ${media} is not in the spec`
  // Streamed bodies are not available here.
  if (declared.schema === undefined || value === undefined || !media.endsWith('json')) return null
  const check = compile(declared.schema)
  return check(value) ? null : (check.errors ?? []).map(toText).join(', ')
}

const compilerOf = memoizeBy((spec: SpecDocument): Compile => {
  const ajv = new Ajv2020({ strict: false, logger: false })
  addFormats.default(ajv)
  ajv.removeKeyword('writeOnly')
  ajv.addKeyword({ keyword: 'writeOnly', validate: (isSecret: boolean, value: unknown) => !isSecret || value === null })
  const { schemas = {} } = spec.components as { readonly schemas?: { readonly [name: string]: object } }
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, `#/components/schemas/${name}`)
  // A copy, because Ajv keeps what it compiled by its object, and a reference alone has none.
  return memoizeBy((schema: object): ValidateFunction => ajv.compile({ ...schema }))
})

/** The name of an unknown key is only in the parameters of the error. */
const toText = ({ instancePath, message, params }: ErrorObject): string =>
  `the answer${instancePath} ${message} ${String(params['additionalProperty'] ?? '')}`.trim()
