select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select 'it''s' as "c", (
    select row_to_json(r.*) from (
      select t0."title" as "title", 'x' as "d"
    ) r
  ) as "o", null as "n" from (
    select t0."title" from "articles" t0 order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list"]
