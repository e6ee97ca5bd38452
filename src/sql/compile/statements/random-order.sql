select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 order by random(), t0."title", t0."views" desc, t0."id" limit 100::bigint
  ) t0
) r
-- ["list"]
