/**
 * Reads the array that a configuration file of version 8 returns. The file is parsed, never executed: everything but
 * literals, arrays of them, and texts joined with `__DIR__` is refused.
 */
import { dirname } from 'node:path'
import php, { type Node } from 'php-parser'

/** A parsed value: text, number, boolean, null, list or object. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain }

/** Nodes of the parser, whose published types leave out most properties. */
type Part = Node & { readonly [property: string]: unknown }

/**
 * The returned array. Throws an error that names the line.
 * @example readPhpArray("<?php return ['a' => [1, true]];", 'api.php') // { a: [1, true] }
 */
export function readPhpArray(text: string, file: string): Plain {
  const statements = parse(text, file).filter(({ kind }) => kind !== 'inline' && kind !== 'declare')
  const [first, ...more] = statements
  if (first === undefined) throw new Error('Expected `return [ … ];` but received nothing')
  if (first.kind !== 'return' || more.length > 0) throw refuse(first.kind === 'return' ? (more[0] as Part) : first)
  const value = read(first['expr'] as Part, dirname(file), 0)
  if (typeof value === 'object' && value !== null) return value
  throw refuse(first)
}

function parse(text: string, file: string): readonly Part[] {
  const engine = new php.Engine({ parser: { extractDoc: false, suppressErrors: false }, ast: { withPositions: true } })
  try {
    return engine.parseCode(text, file).children as unknown as readonly Part[]
  } catch (error) {
    throw withoutQuotes(error as { readonly lineNumber?: number })
  }
}

/** The error of the parser quotes the file, which may hold passwords. */
const withoutQuotes = ({ lineNumber: line }: { readonly lineNumber?: number }): Error =>
  new Error(`Expected PHP code${line === undefined ? '' : ` in line ${line}`} but received something else`)

const refuse = (part: Part): Error =>
  new Error(`Expected a literal value in line ${part.loc?.start.line ?? 0} but received code (${part.kind})`)

/** Levels of arrays in each other. */
const deepest = 20

function read(part: Part, folder: string, depth: number): Plain {
  switch (part.kind) {
    case 'string':
      return part['value'] as string
    case 'number':
      return readNumber(part)
    case 'boolean':
      return part['value'] as boolean
    case 'nullkeyword':
      return null
    case 'array':
      if (depth === deepest) throw refuse(part)
      return readArray(part, folder, depth + 1)
    case 'unary':
      return -readNumber(part['type'] === '-' ? (part['what'] as Part) : part)
    case 'magic':
      if (part['value'] === '__DIR__') return folder
      throw refuse(part)
    case 'bin':
      return readJoined(part, folder, depth)
    default:
      throw refuse(part)
  }
}

function readNumber(part: Part): number {
  const text = String(part['value'])
  if (part.kind !== 'number' || !/^(0|[1-9]\d*)(\.\d+)?$/.test(text)) throw refuse(part)
  return Number(text)
}

function readJoined(part: Part, folder: string, depth: number): string {
  const sides = [part['left'] as Part, part['right'] as Part]
  if (part['type'] !== '.' || depth === deepest) throw refuse(part)
  const texts = sides.map((side) => read(side, folder, depth + 1))
  if (!texts.every((text) => typeof text === 'string')) throw refuse(part)
  return texts.join('')
}

/** An array without keys, or with the keys 0, 1, 2 and so on, is a list. */
function readArray(part: Part, folder: string, depth: number): Plain {
  let next = 0
  const entries = (part['items'] as readonly Part[]).map((item): readonly [string | number, Plain] => {
    if (item.kind !== 'entry' || item['byRef'] === true || item['unpack'] === true) throw refuse(item)
    const input = item['key'] as Part | null
    const key = input === null ? next : read(input, folder, depth)
    if (typeof key !== 'string' && typeof key !== 'number') throw refuse(item)
    if (typeof key === 'number') next = key + 1
    return [key, read(item['value'] as Part, folder, depth)]
  })
  const isList = entries.every(([key], at) => key === at)
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}
