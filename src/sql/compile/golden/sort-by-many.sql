select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "authors" t0 order by (
      select min(t1."title") from "articles" t1 where t1."author" = t0."id" and t1."status" = $1::text
    ) desc nulls last, t0."id" limit 100::bigint
  ) t0
) r
-- ["published"]
