select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select (
    select coalesce(json_agg(r.*), '[]') from (
      select t2.v0 as "count" from (
        select count(*) as v0 from (
          select 1 from "articles" t1 where t1."author" = t0."id" and t1."status" = $1::text
        ) t1 limit 100::bigint
      ) t2
    ) r
  ) as "n" from (
    select t0."id" from "authors" t0 order by t0."id" limit 100::bigint
  ) t0
) r
-- ["list","published"]
