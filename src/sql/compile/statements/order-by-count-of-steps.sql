select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "authors" t0 order by (
      select min((
        select count(*) from "comments" t2 where t2."article" = t1."id"
      )) from "articles" t1 where t1."author" = t0."id"
    ), t0."id" limit 100::bigint
  ) t0
) r
-- ["list"]
