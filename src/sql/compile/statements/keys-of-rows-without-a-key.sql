with s0 as materialized (
  select * from (
    select 1 from "articles" t0 order by t0."sort", t0."id" limit 100::bigint
  ) t0
), s1 as materialized (
  select 1 from "comments" t3 where t3."article" in (
    select t1."id" from s0 t1
  )
) select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select null as "comments" from s0 t0
) r
-- ["list"]
