with s0 as materialized (
  select * from (
    select t0."id" from "authors" t0 order by t0."id" limit 100::bigint
  ) t0
), s1 as materialized (
  select t3."author", t3."status" from "articles" t3 where t3."author" in (
    select t1."id" from s0 t1
  )
) select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select (
    select coalesce(json_agg(r.*), '[]') from (
      select t5.v0 as "count" from (
        select count(*) as v0 from (
          select 1 from s1 t2 where t2."author" = t0."id" and t2."status" = $1::text
        ) t2 limit 100::bigint
      ) t5
    ) r
  ) as "n" from s0 t0
) r
-- ["list","published"]
