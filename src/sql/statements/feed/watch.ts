/** Triggers that record the changes of a table whoever makes them. */
import type { Database } from '../../../domain/ports/context.ts'
import { hashText } from '../../../domain/schema/hash-text.ts'
import type { Collection } from '../../../domain/schema/schema.ts'
import { tableName } from '../../conditions/build.ts'
import { dialectOf } from '../../dialects/dialects.ts'
import { change, firstRow } from '../answers.ts'

const trigger = 'tandem_watch'

/**
 * Records all changes of the table, of other programs and of the database itself, too. The function runs with the rights
 * of its owner, so writers need none on the feed, and keeps no secrets.
 */
export async function watchTable(db: Database, collection: Collection): Promise<void> {
  await db.transaction(async (inner) => {
    const { table, name, schema } = await namesOf(inner, collection)
    await change(inner, { text: functionText(inner, collection, { name, schema }), values: [] })
    await change(inner, { text: `drop trigger if exists ${trigger} on ${table}`, values: [] })
    const text = `create trigger ${trigger} after insert or update or delete on ${table} for each row execute function ${name}()`
    await change(inner, { text, values: [] })
  })
}

/** Ends what `watchTable` began. */
export async function unwatchTable(db: Database, collection: Collection): Promise<void> {
  await db.transaction(async (inner) => {
    const { table, name } = await namesOf(inner, collection)
    await change(inner, { text: `drop trigger if exists ${trigger} on ${table}`, values: [] })
    await change(inner, { text: `drop function if exists ${name}()`, values: [] })
  })
}

type Names = { readonly table: string; readonly name: string; readonly schema: string }

async function namesOf(db: Database, collection: Collection): Promise<Names> {
  const { quote } = dialectOf(db)
  const row = await firstRow<{ readonly name: string }>(db, { text: 'select current_schema() as name', values: [] })
  const schema = quote(row?.name ?? 'public')
  const name = `${schema}.${quote(`platform_watch_${hashText(collection.name).slice(0, 16)}`)}`
  return { table: tableName({ dialect: dialectOf(db) }, collection), name, schema }
}

/** A key that changes is told as a deletion and a creation. */
function functionText(db: Database, collection: Collection, { name, schema }: Omit<Names, 'table'>): string {
  const dialect = dialectOf(db)
  const key = (row: string) =>
    dialect.writes.keyText(collection.keyColumns.map((column) => `${row}.${dialect.quote(column)}`))
  const secrets = [...collection.fields.values()].flatMap(({ concealed, type, column }) =>
    column !== null && (concealed || type === 'hash') ? [dialect.text(column.name)] : [],
  )
  const whole = (row: string) =>
    secrets.length === 0 ? `row_to_json(${row})` : `(to_jsonb(${row}) - array[${secrets.join(', ')}])::json`
  const tell = (action: string, item: string, [before, after]: readonly [string, string]) =>
    `insert into ${schema}.platform_events (action, collection, item, before, after) ` +
    `values ('${action}', ${dialect.text(collection.name)}, ${key(item)}, ${before}, ${after});`
  const [created, deleted] = [
    tell('create', 'new', ['null', whole('new')]),
    tell('delete', 'old', [whole('old'), 'null']),
  ]
  return `create or replace function ${name}() returns trigger language plpgsql security definer
set search_path = pg_catalog, ${schema}, pg_temp as $body$
begin
  if not exists (select 1 from ${schema}.platform_feed where until > clock_timestamp()) then return null; end if;
  if tg_op = 'INSERT' then ${created}
  elsif tg_op = 'DELETE' then ${deleted}
  elsif ${key('old')} is distinct from ${key('new')} then ${deleted} ${created}
  else ${tell('update', 'new', [whole('old'), whole('new')])}
  end if;
  return null;
end $body$`
}
