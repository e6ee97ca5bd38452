with s0 as materialized (
  select * from (
    select t0."name", t0."id" from "authors" t0 order by t0."id" limit 100::bigint
  ) t0
), s1 as materialized (
  select t3."id", t3."views", t3."status" from "articles" t3 where t3."author" in (
    select t1."id" from s0 t1
  )
), s2 as materialized (
  select t7."id", t7."title", t7."author" from "articles" t7 where t7."author" in (
    select t1."id" from s0 t1
  )
), s3 as materialized (
  select t11."status", t11."id", t11."views", t11."author" from "articles" t11 where t11."author" in (
    select t1."id" from s0 t1
  )
) select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."name" as "name", (
    select coalesce(json_agg(r.*), '[]') from (
      select t2."id" as "id", t2."status" as "status" from (
        select t2."id", t2."status" from s1 t2 where t2."id" in (
          select distinct on (t5."status") t5."id" from "articles" t5 where t5."author" = t0."id" order by t5."status", t5."views" desc, t5."id"
        ) order by t2."views" desc, t2."id" limit 100::bigint
      ) t2
    ) r
  ) as "first", (
    select coalesce(json_agg(r.*), '[]') from (
      select (
        select row_to_json(r.*) from (
          select t9.v0 as "id"
        ) r
      ) as "count", (
        select row_to_json(r.*) from (
          select t9.v1 as "title"
        ) r
      ) as "max" from (
        select count(t6.v0) as v0, max(t6.v1) as v1 from (
          select t6."id" as v0, t6."title" as v1 from s2 t6 where t6."author" = t0."id"
        ) t6 limit 100::bigint
      ) t9
    ) r
  ) as "total", (
    select coalesce(json_agg(r.*), '[]') from (
      select t13.k0 as "status", (
        select row_to_json(r.*) from (
          select t13.v0 as "id"
        ) r
      ) as "count" from (
        select t10.k0, count(t10.v0) as v0, sum(t10.v1) as v1 from (
          select t10."status" as k0, t10."id" as v0, t10."views" as v1 from s3 t10 where t10."author" = t0."id"
        ) t10 group by t10.k0 order by v1 desc, k0 limit 1::bigint offset 1::bigint
      ) t13
    ) r
  ) as "second" from s0 t0
) r
-- []
