select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select  from (
    select 1 from (
      select 1 from "articles" t0
    ) t0 limit 100::bigint
  ) t1
) r
-- ["list"]
