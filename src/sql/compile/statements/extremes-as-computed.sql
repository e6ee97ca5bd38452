select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select (
    select row_to_json(r.*) from (
      select t1.v0::text as "v"
    ) r
  ) as "min", (
    select row_to_json(r.*) from (
      select t1.v1 as "t"
    ) r
  ) as "max", (
    select row_to_json(r.*) from (
      select t1.v2::text as "a"
    ) r
  ) as "avgDistinct" from (
    select min(t0.v0) as v0, max(t0.v1) as v1, avg(distinct t0.v2) as v2 from (
      select t0."views" as v0, t0."title" as v1, t0."views" as v2 from "articles" t0
    ) t0 limit 100::bigint
  ) t1
) r
-- ["list"]
