/** One authorized query as one statement. */
import type { Query } from '../domain/query.ts'
import { type Build, openLevel, tableText, whereText } from './build.ts'
import { type Mode, plainColumns, plainToJson, type RowsToJson, textsToJson } from './columns.ts'
import { compileGroups } from './compile-aggregate.ts'
import { compileFilter } from './compile-filter.ts'
import { compileArchive, compileConditions } from './compile-page.ts'
import { compileLevel } from './compile-selection.ts'
import type { Entry } from './dialect.ts'

/** `toJson` joins rows that come back as columns. */
export type CompiledText = { readonly text: string; readonly toJson: RowsToJson | null }

/** The text of the statement; its parameters are the build's bindings. */
export function compileQuery(build: Build, query: Query, mode: Mode): CompiledText {
  const { entries, from } =
    query.aggregation === null
      ? compileLevel(build, { query, link: null, preferred: null })
      : compileGroups(build, query, query.aggregation, null)
  if (mode === 'json') {
    return { text: build.dialect.jsonStatement(entries, from, compileCounts(build, query)), toJson: null }
  }
  const plain = plainColumns(entries)
  if (plain !== null) {
    const expressions = plain.map(({ sql }) => sql)
    return { text: build.dialect.columnStatement(expressions, from), toJson: plainToJson(plain) }
  }
  const texts = entries.map((entry) => build.dialect.columnText(entry))
  return { text: build.dialect.columnStatement(texts, from), toJson: textsToJson(entries) }
}

function compileCounts(build: Build, query: Query): readonly Entry[] {
  return [...new Set(query.counts)].map((key) => {
    const level = openLevel(build, query.collection)
    const conditions =
      key === 'filtered'
        ? compileConditions(build, level, { query, link: null })
        : [
            query.rows === undefined ? 'true' : compileFilter(build, level, query.rows),
            compileArchive(build, level, query),
          ]
    const sql = `(select count(*) from ${tableText(build, level)}${whereText(conditions)})`
    return { key, sql, json: 'json' }
  })
}
