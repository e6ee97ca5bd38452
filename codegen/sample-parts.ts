/** The examples of an operation, and values as TypeScript. */
import type { Media, Operation, Parameter } from './model.ts'

export const exampleOf = (media: Media | Parameter | undefined): unknown =>
  media?.example ?? Object.values(media?.examples ?? {})[0]?.value

export const required = ({ parameters }: Operation, place: Parameter['in']): readonly Parameter[] =>
  parameters.filter((each) => each.in === place && each.required === true)

/** The first media type of the body with its first example. */
export const bodyOf = ({
  requestBody,
}: Pick<Operation, 'requestBody'>): { readonly media: string; readonly value: unknown } | null => {
  const [first] = Object.entries(requestBody?.content ?? {})
  return first === undefined ? null : { media: first[0], value: exampleOf(first[1]) }
}

const widest = 88

/** A value as TypeScript, on one line where it fits. */
export const literal = (value: unknown, indent = ''): string => {
  const flat = inOneLine(value)
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= widest) return flat
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((each) => `${inner}${literal(each, inner)},`)
    : Object.entries(value).map(([name, each]) => `${inner}${key(name)}: ${literal(each, inner)},`)
  return [isList ? '[' : '{', ...parts, `${indent}${isList ? ']' : '}'}`].join('\n')
}

const inOneLine = (value: unknown): string => {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  const parts = Object.entries(value).map(([name, each]) => `${key(name)}: ${inOneLine(each)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

const key = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : text(name))

const text = (value: string): string =>
  value.includes("'") || /[\p{Cc}\\]/u.test(value) ? JSON.stringify(value) : `'${value}'`
