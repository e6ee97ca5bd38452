select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."slug" as "slug" from (
    select t0."slug" from "pages" t0 where exists (
      select 1 from "pages_blocks" t1 where t1."page" = t0."id" and exists (
        select 1 from "paragraphs" t2 where t1."collection" = 'paragraphs' and t2."id" = case when t1."item" ~ '^-?[0-9]{1,18}$' then t1."item"::bigint end and t2."text" like $1::text
      )
    ) order by t0."id" limit 100::bigint
  ) t0
) r
-- ["Once%"]
