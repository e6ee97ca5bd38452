select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select to_json(t1.k0) as "languages", nullif(t1.k1::text, '')::json as "metadata", t1.v0 as "count" from (
    select t0.k0, t0.k1, count(*) as v0 from (
      select t0."languages" as k0, t0."metadata"::text as k1 from "articles" t0 where t0."id" = any($1::bigint[])
    ) t0 group by t0.k0, t0.k1 order by k0, k1 limit 100::bigint
  ) t1
) r
-- [[1,3,5]]
