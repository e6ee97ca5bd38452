with s0 as materialized (
  select * from (
    select t0."name", t0."id" from "authors" t0 order by t0."id" limit 100::bigint
  ) t0
), s1 as materialized (
  select t3."author", t3."views", t3."title", t3."id" from "articles" t3 where t3."author" in (
    select t1."id" from s0 t1
  )
) select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."name" as "name", (
    select coalesce(json_agg(r.*), '[]') from (
      select t2."title" as "title" from (
        select t2."title" from s1 t2 where t2."author" = t0."id" and t2."views" > $1::bigint order by t2."title", t2."id" limit 1::bigint
      ) t2
    ) r
  ) as "articles" from s0 t0
) r
-- [0]
