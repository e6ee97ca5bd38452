/** Values of requests with the names of the view → values with the stored names. */

import type { Codec, Renamed } from '../schema/view.ts'
import { isJsonObject, parseExactly } from './exact-numbers.ts'

/** The value with the stored names, at any depth. Values of other codecs are unchanged. */
export function withStoredNames(value: unknown, codec: Codec | undefined): unknown {
  if (codec?.kind !== 'renamed') return value
  return codec.within === 'text' ? storedText(value, codec) : storedJson(value, codec)
}

/** A text may be a list of names, or the beginning of one. */
function storedText(value: unknown, codec: Renamed): unknown {
  if (typeof value === 'string') {
    return value
      .split(',')
      .map((word) => storedName(word, codec, (name, rest) => name.startsWith(rest)))
      .join(',')
  }
  return mapped(value, (each) => storedText(each, codec))
}

/** A string of JSON is a name, a list of names, or ends with one after a colon, as a key of a filter does. JSON may come as text. */
function storedJson(value: unknown, codec: Renamed): unknown {
  const rename = (text: string): string =>
    text
      .split(/(?<=[:,])|(?=,)/)
      .map((word) => storedName(word, codec, (name, rest) => name === rest))
      .join('')
  if (typeof value === 'string') return /^\s*[[{"]/.test(value) ? storedJsonText(value, codec) : rename(value)
  if (!isJsonObject(value)) return mapped(value, (each) => storedJson(each, codec))
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [rename(key), storedJson(each, codec)]))
}

function storedJsonText(text: string, codec: Renamed): string {
  try {
    return JSON.stringify(storedJson(parseExactly(text), codec))
  } catch {
    return text
  }
}

function mapped(value: unknown, map: (each: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, map(each)]))
}

function storedName(
  text: string,
  { stored, shown, names }: Renamed,
  isMeant: (name: string, rest: string) => boolean,
): string {
  if (!text.startsWith(shown)) return text
  const rest = text.slice(shown.length)
  return names.some((name) => isMeant(name, rest)) ? `${stored}${rest}` : text
}
