/**
 * Names of system collections in texts, with the prefix of the stored names or with that of `SYSTEM_COLLECTION_PREFIX`.
 * A name is replaced as a whole word, also where the rest of the name of a constraint or sequence follows it. A column
 * that begins with such a name, like `directus_files_id` of a junction, keeps its own.
 */
import { parseExactly } from '../conditions/exact-numbers.ts'
import { systemNames, systemPrefix } from './system-collections.ts'

/** Presets are shown by a second name, too. */
const names = [...systemNames, 'collection_presets'].join('|')

const patternOf = (prefix: string): RegExp =>
  new RegExp(
    String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))${prefix}(?=(?:${names})(?:_(?:\w+_)?(?:foreign|pkey|unique|index|seq))?(?!\w))`,
    'g',
  )

const patterns = new Map<string, RegExp>()

function replacePrefix(text: string, from: string, to: string): string {
  if (from === to) return text
  const pattern = patterns.get(from) ?? patternOf(from)
  patterns.set(from, pattern)
  return replaceSizes(text.replaceAll(pattern, to), from, to)
}

const firstWord = (prefix: string): string => prefix.replace(/_$/, '')

/** Names of picture sizes begin with the word of the prefix: `directus-small-crop`. */
function replaceSizes(text: string, from: string, to: string): string {
  return text.replaceAll(/(?<![\w-])([a-z0-9]+)(?=-(?:small|medium|large)-(?:crop|contain)(?![\w-]))/g, (word) =>
    word === firstWord(from) ? firstWord(to) : word,
  )
}

/** The text, or JSON, with all system names as the view shows them. */
export const showNames = (text: string, prefix = systemPrefix): string => replacePrefix(text, systemPrefix, prefix)

export const showNamesIn = <T>(value: T, prefix = systemPrefix): T =>
  prefix === systemPrefix ? value : (parseExactly(showNames(JSON.stringify(value), prefix)) as T)

/** The reverse of `showNamesIn`. */
export const storeNamesIn = <T>(value: T, prefix = systemPrefix): T =>
  prefix === systemPrefix || value === undefined
    ? value
    : (parseExactly(replacePrefix(JSON.stringify(value), prefix, systemPrefix)) as T)
