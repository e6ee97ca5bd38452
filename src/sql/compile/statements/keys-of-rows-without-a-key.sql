select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select null as "comments" from (
    select 1 from "articles" t0 order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list"]
