select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t1.v0 as "count" from (
    select count(*) as v0 from (
      select 1 from "articles" t0
    ) t0 limit 100::bigint
  ) t1
) r
-- []
