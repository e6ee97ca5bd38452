select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t1.k0 as "author", (
    select row_to_json(r.*) from (
      select t1.v0 as "views"
    ) r
  ) as "min", (
    select row_to_json(r.*) from (
      select t1.v1::text as "reads"
    ) r
  ) as "max" from (
    select t0.k0, min(t0.v0) as v0, max(t0.v1) as v1, max(t0.v2) as v2 from (
      select t0."author" as k0, t0."views" as v0, t0."reads" as v1, t0."views" as v2 from "articles" t0
    ) t0 group by t0.k0 order by v2 desc, v0, k0 limit 100::bigint
  ) t1
) r
-- []
