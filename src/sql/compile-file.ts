/** What the addresses of a file are made of, as one value of its row. */
import { fileFactsMark } from '../domain/view.ts'
import { type Build, columnText, columnType, fieldOf, keyText, openLevel, tableText, whereText } from './build.ts'
import type { Entry } from './dialect.ts'

const shown = ['id', 'filename_disk', 'filename_download', 'private_hash', 'type', 'embed'] as const

/** JSON of the file with that key. */
export function fileFactsText(build: Build, key: string): string {
  const file = openLevel(build, 'platform_files')
  const entries = shown.map((name): Entry => {
    const field = fieldOf(file.collection, name)
    const text = build.dialect.codec({ kind: 'text' }, columnText(build, file, field), columnType(field))
    return { key: name === 'id' ? fileFactsMark : name, ...text }
  })
  return build.dialect.jsonRow(entries, `${tableText(build, file)}${whereText([`${keyText(build, file)} = ${key}`])}`)
}
