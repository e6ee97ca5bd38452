/** Generates requests whose parameters are missing or have impossible values. */

import { follow } from '../spec/document.ts'
import type { Operation, Parameter, Spec } from '../spec/operations.ts'
import type { Validate } from '../spec/validate.ts'
import { asSearch, type Case, type Draft, good, refused, toCase, withHeader } from './case.ts'
import { outOfBounds } from './mutations.ts'
import { parameterQuestion } from './questions.ts'

/** A single unknown segment belongs to no operation, so the error may be that there is no such route. */
export const isAlone = (operation: Operation, name: string): boolean => operation.path === `/{${name}}`

export function parameterCases(spec: Spec, validate: Validate, operation: Operation): readonly Case[] {
  const plain = good(operation)
  return operation.parameters
    .filter((each) => !isAlone(operation, each.name))
    .flatMap((parameter) => {
      const schema = follow(spec, parameter.schema)
      const texts = wrongTexts(schema).filter((text) => validate(schema, readText(schema, text)) !== null)
      const cases = texts.map((text) => {
        const rule = `${parameter.name} is ${text.length > 20 ? `a text of ${text.length}` : JSON.stringify(text)}`
        return toCase(operation, withText(plain, parameter, text), { ...refused, rule, name: parameter.name })
      })
      const { name } = parameter
      if (parameter.in === 'query' && parameter.required)
        cases.push(
          toCase(
            operation,
            { ...plain, query: plain.query.filter(([each]) => each !== name) },
            { ...refused, rule: `${name} is missing`, name },
          ),
        )
      if (parameter.in === 'query' && validate(schema, { a: '1' }) !== null)
        cases.push(
          toCase(operation, withText(plain, parameter, '1', '[a]'), { ...refused, rule: `${name} is an object`, name }),
        )
      const [own, ...others] = [...cases, ...searchCases(operation, parameter, schema, validate)]
      const repeated = others.map((each) => ({
        ...each,
        question: parameterQuestion(spec, operation, name, each.rule),
      }))
      return own === undefined ? [] : [own, ...repeated]
    })
}

/** Candidates for invalid values; the validator decides which are invalid. */
function wrongTexts(schema: { readonly [keyword: string]: unknown }): readonly string[] {
  const bounds = outOfBounds(schema).map((value) => (Array.isArray(value) ? value.join(',') : String(value)))
  return ['x', '1.5', '[1]', '"text"', ...bounds].filter((text) => text !== '' && text.length < 6000)
}

/** Converts a query text to the type of its schema, if possible. */
function readText(schema: { readonly [keyword: string]: unknown }, text: string): unknown {
  if (schema.type === 'integer' || schema.type === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (schema.type !== 'object') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The parameter with this text; with `key`, as a member of an object. */
function withText(plain: Draft, parameter: Parameter, text: string, key = ''): Draft {
  if (parameter.in === 'header') return withHeader(plain, parameter.name, text)
  if (parameter.in === 'path') return { ...plain, path: { ...plain.path, [parameter.name]: text } }
  return {
    ...plain,
    query: [...plain.query.filter(([name]) => name !== parameter.name), [`${parameter.name}${key}`, text]],
  }
}

/** SEARCH has a JSON body, so invalid values can have wrong types. */
function searchCases(
  operation: Operation,
  parameter: Parameter,
  schema: { readonly [keyword: string]: unknown },
  validate: Validate,
): readonly Case[] {
  if (!operation.search || parameter.in !== 'query') return []
  const values = [[[]], ...outOfBounds(schema)].filter((value) => validate(schema, value) !== null)
  return values.slice(0, 2).map((value) =>
    toCase(operation, asSearch(good(operation), { [parameter.name]: value }), {
      ...refused,
      rule: `${parameter.name} is ${JSON.stringify(value).slice(0, 20)} by SEARCH`,
      name: parameter.name,
    }),
  )
}
