select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 left join "authors" t1 on t1."id" = t0."author" order by t1."id", t0."id" limit 100::bigint
  ) t0
) r
-- ["list"]
