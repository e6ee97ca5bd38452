select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select null as "$key", t0."body" as "body" from (
    select t0."body" from "comments" t0 order by t0."id", t0."article", t0."body" limit 100::bigint
  ) t0
) r
-- ["list"]
