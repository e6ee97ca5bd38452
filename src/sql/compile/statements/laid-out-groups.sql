select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t1.k0 as "status", (
    select row_to_json(r.*) from (
      select case when t1.v0 = 0 or abs(t1.v0) between 1e-300 and 1e300 and t1.v0::double precision::text::numeric = t1.v0 then to_json(t1.v0) else to_json(t1.v0::text) end as "views"
    ) r
  ) as "sum", t1.v1 as "count", null as "empty", 'articles' as "t" from (
    select t0.k0, sum(t0.v0) as v0, count(*) as v1 from (
      select t0."status" as k0, t0."views" as v0 from "articles" t0
    ) t0 group by t0.k0 order by k0 limit 100::bigint
  ) t1
) r
-- ["list"]
