/** Keys of rows as texts in MariaDB, and the rows with the keys that an earlier text of a plan has found. */
import { encodedInKeys, keySeparator } from '../../../domain/schema/row-keys.ts'
import type { LockText, TypedColumn, Writes, WriteText } from '../dialect.ts'
import { quoteText } from '../quoting.ts'
import { asNumber, bitsAsNumber, byCollation, bytesOf, inSet, keyFromText, longText } from './types.ts'

const encoded = (sql: string): string =>
  encodedInKeys.reduce((part, [plain, code]) => `replace(${part}, ${quoteText(plain)}, ${quoteText(code)})`, sql)

export const keyText: Writes['keyText'] = (columns) => joined(columns.map((column) => `cast(${column} as char)`))

function joined(texts: readonly string[]): string {
  if (texts.length === 0) return `''`
  return texts.length === 1
    ? (texts[0] as string)
    : `concat(${texts.map(encoded).join(`, ${quoteText(keySeparator)}, `)})`
}

/** No text of a number or a uuid has characters that are encoded. */
export const keyPart: Writes['keyPart'] = (whole, position, key) => {
  const part = `substring_index(substring_index(${whole}, ${quoteText(keySeparator)}, ${position}), ${quoteText(keySeparator)}, -1)`
  const match = keyFromText(part, { type: 'text', dataType: 'longtext' }, key)
  if (match !== part) return match
  return encodedInKeys.reduceRight(
    (sql, [plain, code]) => `replace(${sql}, ${quoteText(code)}, ${quoteText(plain)})`,
    part,
  )
}

type Keyed = Pick<WriteText, 'table' | 'alias' | 'keys'>

/** The key of a row of the table as text; bytes are written in digits. */
export const keyIn = ({ keys }: Pick<LockText, 'keys'>, row: string): string =>
  joined(
    keys.map(({ column, type }) =>
      type.type === 'binary'
        ? `concat(${quoteText(String.raw`\x`)}, lower(hex(${row}.${column})))`
        : `cast(${asNumber(`${row}.${column}`, type)} as char)`,
    ),
  )

/** `k`: the list of keys in its order, and under its alias the row of each key. */
export const foundRows = (plan: Keyed, list = '$$1'): string =>
  `json_table(${list}, '$[*]' columns (n for ordinality, v ${longText} path '$')) k straight_join ${byKeyText(plan, 'k.v')}`

/** The table, joined by a key as text. An index finds the candidates; the text of the key decides. */
export function byKeyText(plan: Keyed, key: string): string {
  const { table, alias, keys } = plan
  const isComposite = keys.length > 1
  const candidates = keys.flatMap((column, at) => {
    const part = isComposite ? keyPart(key, at + 1, column.type) : key
    const value = part === null ? null : comparedWith(column, part)
    return value === null ? [] : [`${alias}.${column.column} = ${value}`]
  })
  return `${table} ${alias} on ${[...candidates, `${keyIn(plan, alias)} = ${key}`].join(' and ')}`
}

/** The value in the form in which an index of the column is used; null if there is none. */
function comparedWith({ type: { type, dataType, folds } }: TypedColumn, value: string): string | null {
  if (dataType === 'bit') return bitsAsNumber(value)
  if (type === 'integer' || type === 'bigInteger') return value
  if (type === 'binary') return bytesOf(value)
  if (folds !== undefined) return folds === true ? byCollation(value) : inSet(value, folds)
  if (type === 'uuid') return dataType === 'uuid' ? value : `convert(${value} using ascii)`
  return type === 'string' ? value : null
}
