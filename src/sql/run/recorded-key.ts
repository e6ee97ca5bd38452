/** The key of a row as history has it: the text that the database writes. */
import type { Key } from '../../domain/query/key.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { bind, boundValues, createBuild, openLevel, rowKeyText, tableText } from '../conditions/build.ts'
import { keyCondition } from '../conditions/key-condition.ts'
import { dialectOf } from '../dialects/dialects.ts'
import type { WriteContext } from './writes.ts'

/** Types whose values have one text. Of others, such as moments and addresses, the database writes another than clients. */
const plain: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'uuid', 'text'])

/** The key as it is where the row is missing. */
export async function recordedKey(ctx: WriteContext, collection: Collection, key: Key): Promise<string> {
  const isPlain = collection.keyColumns.every((name) => plain.has(collection.fields.get(name)?.type ?? ''))
  if (isPlain) return String(key)
  const build = createBuild({ schema: ctx.schema, view: ctx.view, dialect: dialectOf(ctx.db) })
  const level = openLevel(build, collection.name)
  const condition = keyCondition(build, collection, {
    prefix: `${level.alias}.`,
    many: false,
    bound: (part) => bind(build, { key }, (node) => part(node.key)),
  })
  const text = `select ${rowKeyText(build, level)} as key from ${tableText(build, level)} where ${condition}`
  const { rows } = await ctx.db.run({ text, values: boundValues(build, ctx) })
  return (rows[0] as { readonly key: string } | undefined)?.key ?? String(key)
}
