/** Compiles the codec `file-facts`: the facts that the URLs of a file consist of, as one value. */
import { fileFactsMark } from '../../domain/schema/view.ts'
import {
  type Build,
  columnText,
  columnType,
  fieldOf,
  keyText,
  openLevel,
  tableText,
  whereText,
} from '../conditions/build.ts'
import type { Entry } from '../dialects/dialect.ts'

const shown = ['id', 'filename_disk', 'filename_download', 'private_hash', 'type', 'embed'] as const

/** The JSON object with the facts of the file with that key. */
export function fileFactsText(build: Build, key: string): string {
  const file = openLevel(build, 'platform_files')
  const entries = shown.map((name): Entry => {
    const field = fieldOf(file.collection, name)
    const text = build.dialect.codec({ kind: 'text' }, columnText(build, file, field), columnType(field))
    return { key: name === 'id' ? fileFactsMark : name, ...text }
  })
  return build.dialect.jsonRow(entries, `${tableText(build, file)}${whereText([`${keyText(build, file)} = ${key}`])}`)
}
