with s0 as materialized (
  select * from (
    select t0."name", t0."id" from "authors" t0 order by t0."id" limit 100::bigint
  ) t0
), s1 as materialized (
  select t3."status", t3."id", t3."author" from "articles" t3 where t3."author" in (
    select t1."id" from s0 t1
  )
) select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."name" as "name", (
    select coalesce(json_agg(r.*), '[]') from (
      select t5.k0 as "status", (
        select row_to_json(r.*) from (
          select t5.v0 as "id"
        ) r
      ) as "count" from (
        select t2.k0, count(t2.v0) as v0 from (
          select t2."status" as k0, t2."id" as v0 from s1 t2 where t2."author" = t0."id"
        ) t2 group by t2.k0 order by k0 limit 100::bigint
      ) t5
    ) r
  ) as "articles" from s0 t0
) r
-- []
