select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."name" as "name", (
    select coalesce(json_agg(r.*), '[]') from (
      select t2.k0 as "status", (
        select row_to_json(r.*) from (
          select t2.v0 as "id"
        ) r
      ) as "count" from (
        select t1.k0, count(t1.v0) as v0 from (
          select t1."status" as k0, t1."id" as v0 from "articles" t1 where t1."author" = t0."id"
        ) t1 group by t1.k0 order by k0 limit 100::bigint
      ) t2
    ) r
  ) as "articles" from (
    select t0."name", t0."id" from "authors" t0 order by t0."id" limit 100::bigint
  ) t0
) r
-- []
