select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "pages_blocks" t0 left join "headings" t1 on t0."collection" = 'headings' and t1."id" = case when t0."item" ~ '^-?[0-9]{1,18}$' then t0."item"::bigint end order by t1."text", t0."id" limit 100::bigint
  ) t0
) r
-- ["list"]
