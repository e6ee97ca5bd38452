/** Moves a row within a manual sort order, in one statement for any distance. */
import type { Move } from '../../domain/ports/row-store.ts'
import type { Key } from '../../domain/query/key.ts'
import {
  bind,
  boundValues,
  columnText,
  createBuild,
  fieldOf,
  openLevel,
  tableText,
  whereText,
} from '../conditions/build.ts'
import { compileFilter } from '../conditions/compile-filter.ts'
import { keyCondition } from '../conditions/key-condition.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { quoteName } from '../dialects/quoting.ts'
import type { WriteContext } from './writes.ts'

/**
 * False if one of the two rows may not be changed. The rows exchange their sort numbers. If numbers are missing or
 * equal, all rows are numbered from 1.
 */
export async function moveRow(ctx: WriteContext, { collection, field, item, to, rows }: Move): Promise<boolean> {
  const build = createBuild({ schema: ctx.schema, view: ctx.view, dialect: dialectOf(ctx.db) })
  const level = openLevel(build, collection.name)
  const keys = collection.keyColumns.map((name) => columnText(build, level, fieldOf(collection, name)))
  const keysOf = (alias: string) => keys.map((_key, index) => `${alias}.k${index}`).join(', ')
  const order = keys.join(', ')
  const ranked = columnText(build, level, fieldOf(collection, field))
  const column = quoteName(fieldOf(collection, field).column?.name ?? field)
  const isRow = (value: Key) =>
    keyCondition(build, collection, {
      prefix: `${level.alias}.`,
      many: false,
      bound: (part) => bind(build, { value }, (node) => part(node.value)),
    })
  const table = tableText(build, level)
  const own = whereText([compileFilter(build, level, rows)])
  const text = `with ranked as (
    select ${keys.map((key, index) => `${key} as k${index}`).join(', ')}, ${ranked} as place, row_number() over (order by ${ranked}, ${order}) as n,
      ${isRow(item)} as is_item, ${isRow(to)} as is_to from ${table}${own}
  ), facts as (
    select count(*) = count(distinct place) as exact, max(n) filter (where is_item) as a, max(n) filter (where is_to) as b
      from ranked
  ), moved as (
    select ${keysOf('r')}, r.place as before, case when r.n = a then b when r.n > a and r.n <= b then r.n - 1 when r.n >= b and r.n < a then r.n + 1
      else r.n end as n from ranked r cross join facts where a is not null and b is not null
  ), placed as (
    select ${keysOf('m')}, m.before, case when exact then v.place else v.n end as place
      from moved m join ranked v on v.n = m.n cross join facts
  ), written as (
    update ${table} set ${column} = placed.place from placed
      where (${order}) = (${keysOf('placed')}) and placed.before is distinct from placed.place
  ) select a is not null and b is not null as found from facts`
  const ranks = text.slice(text.indexOf('select'), text.indexOf('\n  ), facts'))
  const { rows: answer } = await ctx.db.run({
    text,
    texts: { mysql: instead({ ranks: nullsLast(ranks, ranked), table, column, keys, alias: level.alias }) },
    values: boundValues(build, ctx),
  })
  return (answer[0] as { readonly found: boolean }).found
}

/** Null is the least of all values there. */
const nullsLast = (ranks: string, column: string): string =>
  ranks.replace(`order by ${column},`, () => `order by ${column} is null, ${column},`)

type Ranked = {
  readonly ranks: string
  readonly table: string
  readonly column: string
  readonly keys: readonly string[]
  readonly alias: string
}

/** Where a write returns no rows of others, the two rows are looked for first. */
function instead({ ranks, table, column, keys, alias }: Ranked): readonly string[] {
  const facts = `select count(*) = count(distinct r.place) as exact, max(if(r.is_item, r.n, null)) as a, max(if(r.is_to, r.n, null)) as b
    from (${ranks}) r`
  const moved = `select r.*, f.exact, case when r.n = f.a then f.b when r.n > f.a and r.n <= f.b then r.n - 1
      when r.n >= f.b and r.n < f.a then r.n + 1 else r.n end as goal
    from (${ranks}) r join (${facts}) f where f.a is not null and f.b is not null`
  const same = keys.map((key, index) => `${key} = m.k${index}`).join(' and ')
  return [
    `update ${table} join (${moved}) m on ${same} join (${ranks}) v on v.n = m.goal
      set ${alias}.${column} = if(m.exact, v.place, v.n)`,
    `select f.a is not null and f.b is not null as found from (${facts}) f`,
  ]
}
