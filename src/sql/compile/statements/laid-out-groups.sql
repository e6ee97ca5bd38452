select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t1.k0 as "status", (
    select row_to_json(r.*) from (
      select t1.v0 as "views"
    ) r
  ) as "sum", t1.v1 as "count", null as "empty", 'articles' as "t" from (
    select t0.k0, sum(t0.v0) as v0, count(*) as v1 from (
      select t0."status" as k0, t0."views" as v0 from "articles" t0
    ) t0 group by t0.k0 order by k0 limit 100::bigint
  ) t1
) r
-- ["list"]
