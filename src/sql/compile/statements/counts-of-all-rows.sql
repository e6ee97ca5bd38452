select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows", (
  select count(*) from "articles" t1
) as "total" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list"]
