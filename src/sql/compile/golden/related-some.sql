select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where exists (
      select 1 from "comments" t1 where t1."article" = t0."id" and exists (
        select 1 from "authors" t2 where t2."id" = t1."author" and t2."name" = $1::text
      )
    ) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["Bob"]
