/** Triggers that record changes of a table by any client of the database. */
import type { Database } from '../../../domain/ports/context.ts'
import { hashText } from '../../../domain/schema/hash-text.ts'
import type { Collection, Field } from '../../../domain/schema/schema.ts'
import { columnType, tableName } from '../../conditions/build.ts'
import { dialectOf } from '../../dialects/dialects.ts'
import { quoteName, quoteText } from '../../dialects/quoting.ts'
import { allValues, change, firstValue } from '../answers.ts'

const trigger = 'tandem_watch'
const truncateTrigger = `${trigger}_truncate`

const dropTexts = (table: string): readonly string[] =>
  [trigger, truncateTrigger].map((each) => `drop trigger if exists ${each} on ${table}`)

/**
 * Records all changes of the table, of other programs and of the database itself, too. The function runs with the rights
 * of its owner, so writers need none on the feed, and keeps no secrets.
 */
export async function watchTable(db: Database, collection: Collection): Promise<void> {
  if (dialectOf(db).triggers === 'psm') {
    const texts = psmTriggers(db, collection)
    for (const { name, text } of texts) {
      if (dialectOf(db).replacesTriggers !== true)
        await change(db, { text: `drop trigger if exists ${quoteName(name)}`, values: [] })
      await change(db, { text, values: [] })
    }
    // A table that SQL has renamed keeps the triggers of its former name.
    await dropPsmTriggers(db, collection, new Set(texts.map(({ name }) => name)))
    return
  }
  await db.transaction(async (inner) => {
    const { table, name, schema } = await namesOf(inner, collection)
    await change(inner, { text: functionText(inner, collection, { name, schema }), values: [] })
    for (const text of dropTexts(table)) await change(inner, { text, values: [] })
    const rows = `${trigger} after insert or update or delete on ${table} for each row`
    const whole = `${truncateTrigger} before truncate on ${table} for each statement`
    for (const each of [rows, whole])
      await change(inner, { text: `create trigger ${each} execute function ${name}()`, values: [] })
  })
}

/** Ends what `watchTable` began. */
export async function unwatchTable(db: Database, collection: Collection): Promise<void> {
  if (dialectOf(db).triggers === 'psm') return dropPsmTriggers(db, collection, new Set())
  await db.transaction(async (inner) => {
    const { table, name } = await namesOf(inner, collection)
    for (const text of dropTexts(table)) await change(inner, { text, values: [] })
    await change(inner, { text: `drop function if exists ${name}()`, values: [] })
  })
}

type Names = { readonly table: string; readonly name: string; readonly schema: string }

async function namesOf(db: Database, collection: Collection): Promise<Names> {
  const current = await firstValue<string>(db, { text: 'select current_schema() as name', values: [] })
  const schema = quoteName(current ?? 'public')
  const name = `${schema}.${quoteName(`platform_watch_${hashText(collection.name).slice(0, 16)}`)}`
  return { table: tableName(collection), name, schema }
}

const keyOf = (db: Database, collection: Collection, row: string): string =>
  dialectOf(db).writes.keyText(collection.keyColumns.map((column) => `${row}.${quoteName(column)}`))

const isSecret = ({ concealed, type }: Field): boolean => concealed || type === 'hash'

const kinds = ['insert', 'update', 'delete'] as const

async function dropPsmTriggers(
  db: Database,
  { table, name }: Collection,
  keptNames: ReadonlySet<string>,
): Promise<void> {
  const text = `select trigger_name as name from information_schema.triggers
  where trigger_schema = database() and event_object_table = $1 and trigger_name like '${trigger}|_%' escape '|'`
  for (const each of await allValues<string>(db, { text, values: [table?.name ?? name] }))
    if (!keptNames.has(each)) await change(db, { text: `drop trigger if exists ${quoteName(each)}`, values: [] })
}

type PsmTrigger = { readonly name: string; readonly text: string }

/**
 * One trigger for each kind of change, which runs with the rights of its owner. A column that SQL has dropped or renamed
 * since (1054) keeps changes from being told, and not from being made.
 */
function psmTriggers(db: Database, collection: Collection): readonly PsmTrigger[] {
  const dialect = dialectOf(db)
  const table = tableName(collection)
  const columns = [...collection.fields.values()].filter((field) => !isSecret(field))
  const whole = (row: string) =>
    dialect.jsonRow(
      columns.flatMap((field) => {
        if (field.column === null) return []
        const { name } = field.column
        return [{ key: name, ...dialect.storedValue(`${row}.${quoteName(name)}`, columnType(field)) }]
      }),
      null,
    )
  const key = (row: string) => keyOf(db, collection, row)
  const tell = (action: string, item: string, [before, after]: readonly [string, string]) =>
    `insert into platform_events ("action", collection, item, "before", "after")
    values ('${action}', ${quoteText(collection.name)}, ${key(item)}, ${before}, ${after});`
  const created = tell('create', 'new', ['null', whole('new')])
  const deleted = tell('delete', 'old', [whole('old'), 'null'])
  const updated = `if not (${key('old')} <=> ${key('new')}) then ${deleted} ${created}
    else ${tell('update', 'new', [whole('old'), whole('new')])} end if;`
  const bodies = { insert: created, update: updated, delete: deleted }
  return kinds.map((kind) => {
    const name = `${trigger}_${kind}_${hashText(collection.name).slice(0, 16)}`
    const text = `create ${dialect.replacesTriggers === true ? 'or replace ' : ''}trigger ${quoteName(name)} after ${kind} on ${table} for each row begin
  declare exit handler for 1054 begin end;
  if exists (select 1 from platform_feed where until > now(6))
    or exists (select 1 from platform_webhooks where status = 'active'
      and find_in_set(${quoteText(collection.name)}, collections) > 0) then ${bodies[kind]} end if;
end`
    return { name, text }
  })
}

/** A changed key is recorded as a deletion and a creation, and `truncate` as deletions of all rows. */
function functionText(db: Database, collection: Collection, { name, schema }: Omit<Names, 'table'>): string {
  const key = (row: string) => keyOf(db, collection, row)
  const secrets = [...collection.fields.values()].flatMap((field) =>
    field.column !== null && isSecret(field) ? [quoteText(field.column.name)] : [],
  )
  const whole = (row: string) =>
    secrets.length === 0 ? `row_to_json(${row})` : `(to_jsonb(${row}) - array[${secrets.join(', ')}])::json`
  const tell = (action: string, item: string, [before, after]: readonly [string, string]) =>
    `insert into ${schema}.platform_events (action, collection, item, before, after) ` +
    `values ('${action}', ${quoteText(collection.name)}, ${key(item)}, ${before}, ${after});`
  const [created, deleted] = [
    tell('create', 'new', ['null', whole('new')]),
    tell('delete', 'old', [whole('old'), 'null']),
  ]
  const all = `insert into ${schema}.platform_events (action, collection, item, before) select 'delete', ${quoteText(collection.name)}, ${key('r')}, ${whole('r')} from`
  const truncated = `execute format(${quoteText(`${all.replaceAll('%', '%%')} %I.%I r`)}, tg_table_schema, tg_table_name);`
  return `create or replace function ${name}() returns trigger language plpgsql security definer
set search_path = pg_catalog, ${schema}, pg_temp as $body$
begin
  if not exists (select 1 from ${schema}.platform_feed where until > clock_timestamp())
    and not exists (select 1 from ${schema}.platform_webhooks where status = 'active'
      and ${quoteText(collection.name)} = any (string_to_array(collections, ','))) then return null; end if;
  if tg_op = 'TRUNCATE' then ${truncated}
  elsif tg_op = 'INSERT' then ${created}
  elsif tg_op = 'DELETE' then ${deleted}
  elsif ${key('old')} is distinct from ${key('new')} then ${deleted} ${created}
  else ${tell('update', 'new', [whole('old'), whole('new')])}
  end if;
  return null;
end $body$`
}
