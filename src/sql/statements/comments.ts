import { allRows, type Runner } from './answers.ts'

export type CommentRow = { readonly collection: string; readonly item: string; readonly comment: string }

export function findComments(db: Runner, keys: readonly string[]): Promise<readonly CommentRow[]> {
  const text = 'select collection, item, comment from platform_comments where id = any($1::uuid[])'
  return allRows(db, { task: 'findComments', text, values: [keys] })
}

export function findCommentedItems(
  db: Runner,
  keys: readonly string[],
): Promise<readonly { readonly collection: string; readonly items: readonly string[] }[]> {
  const text = `select collection, json_agg(item) as items from (
    select distinct collection, item from platform_comments where id = any($1::uuid[])
  ) c group by collection order by collection`
  const texts = { mysql: text.replace('json_agg', 'json_arrayagg') }
  return allRows(db, { task: 'findCommentedItems', text, texts, values: [keys] })
}
