select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."title" as "title", 'x' as "c" from (
    select t0."title" from "articles" t0 order by t0."sort", t0."id"
  ) t0
) r
-- ["list"]
