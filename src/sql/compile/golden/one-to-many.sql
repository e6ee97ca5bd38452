select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."name" as "name", (
    select coalesce(json_agg(r.*), '[]') from (
      select t1."title" as "title" from (
        select t1."title" from "articles" t1 where t1."author" = t0."id" and t1."views" > $1::bigint order by t1."title", t1."id" limit 1::bigint
      ) t1
    ) r
  ) as "articles" from (
    select t0."name", t0."id" from "authors" t0 order by t0."id" limit 100::bigint
  ) t0
) r
-- [0]
