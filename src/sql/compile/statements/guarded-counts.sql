select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t1.k0 as "s", (
    select row_to_json(r.*) from (
      select t1.v0 as "n", t1.v2 as "a"
    ) r
  ) as "count", t1.v1 as "countAll" from (
    select t0.k0, count(t0.v0) as v0, count(*) as v1, count(t0.v2) as v2 from (
      select case when t0."status" = $1::text then t0."status" end as k0, case when t0."status" = $2::text then 1 end as v0, case when t0."status" = $3::text then t0."author" end as v2 from "articles" t0
    ) t0 group by t0.k0 order by k0 limit 100::bigint
  ) t1
) r
-- ["list","published","published","published"]
