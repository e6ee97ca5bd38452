/** Versions and shares of items, and the integer numbers of identity rows. */
import { type IdentityCollection, identityCollections } from '../../domain/schema/identity.ts'
import { allRows, firstRow, type Runner } from './answers.ts'

export type NumberedRow = { readonly id: string; readonly number: number }

export function findByNumbers(
  db: Runner,
  collection: IdentityCollection,
  numbers: readonly number[],
): Promise<readonly NumberedRow[]> {
  const text = `select id::text as id, number from ${collection} where number = any($1::integer[])`
  return allRows(db, { task: `find-numbered-${collection}`, text, values: [numbers] })
}

const numbersText = identityCollections
  .map((name) => `select id::text as id, number from ${name} where id = any($1::uuid[])`)
  .join(' union all ')

/** The numbers of the rows with these ids, in any identity collection. */
export function findNumbers(db: Runner, ids: readonly string[]): Promise<readonly NumberedRow[]> {
  return allRows(db, { task: 'findNumbers', text: numbersText, values: [ids] })
}

/** The result of the deletion. `others`: collections of `dragged` that have versions or shares. */
export type ForgottenItems = { readonly shares: number; readonly others: readonly string[] }

/** Deletes versions and shares of deleted items. `dragged`: collections whose rows may have been deleted by cascade. */
export async function forgetItemRows(
  db: Runner,
  items: { readonly collection: string; readonly keys: readonly string[]; readonly dragged: readonly string[] },
): Promise<ForgottenItems> {
  const text = `
with v as (delete from platform_versions where collection = $1 and item = any($2)),
  s as (delete from platform_shares where collection = $1 and item = any($2) returning 1)
select (select count(*) from s)::integer as shares,
  (select coalesce(json_agg(distinct collection), '[]') from (
    select collection from platform_versions union all select collection from platform_shares
  ) a where collection = any($3)) as others`
  const statement = {
    task: 'forgetItemRows',
    text,
    texts: {
      mysql: [
        'select count(*) from platform_shares where collection = $1 and item = any($2)',
        'delete from platform_versions where collection = $1 and item = any($2)',
        'delete from platform_shares where collection = $1 and item = any($2)',
        `select cast(json_unquote(json_extract($$1, '$[0]')) as signed) as shares,
          (select ifnull(json_arrayagg(a.collection), json_array()) from (
            select collection from platform_versions union select collection from platform_shares
          ) a where a.collection = any($3)) as others`,
      ],
    },
    values: [items.collection, items.keys, items.dragged],
    name: 'forget-items',
  }
  return (await firstRow<ForgottenItems>(db, statement)) ?? { shares: 0, others: [] }
}
