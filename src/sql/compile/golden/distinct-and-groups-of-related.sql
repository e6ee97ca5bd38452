select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."name" as "name", (
    select coalesce(json_agg(r.*), '[]') from (
      select t1."id" as "id", t1."status" as "status" from (
        select t1."id", t1."status" from "articles" t1 where t1."id" in (
          select distinct on (t2."status") t2."id" from "articles" t2 where t2."author" = t0."id" order by t2."status", t2."views" desc, t2."id"
        ) order by t1."views" desc, t1."id" limit 100::bigint
      ) t1
    ) r
  ) as "first", (
    select coalesce(json_agg(r.*), '[]') from (
      select (
        select row_to_json(r.*) from (
          select t4.v0 as "id"
        ) r
      ) as "count", (
        select row_to_json(r.*) from (
          select t4.v1 as "title"
        ) r
      ) as "max" from (
        select count(t3.v0) as v0, max(t3.v1) as v1 from (
          select t3."id" as v0, t3."title" as v1 from "articles" t3 where t3."author" = t0."id"
        ) t3 limit 100::bigint
      ) t4
    ) r
  ) as "total", (
    select coalesce(json_agg(r.*), '[]') from (
      select t6.k0 as "status", (
        select row_to_json(r.*) from (
          select t6.v0 as "id"
        ) r
      ) as "count" from (
        select t5.k0, count(t5.v0) as v0, sum(t5.v1) as v1 from (
          select t5."status" as k0, t5."id" as v0, t5."views" as v1 from "articles" t5 where t5."author" = t0."id"
        ) t5 group by t5.k0 order by v1 desc, k0 limit 1::bigint offset 1::bigint
      ) t6
    ) r
  ) as "second" from (
    select t0."name", t0."id" from "authors" t0 order by t0."id" limit 100::bigint
  ) t0
) r
-- []
