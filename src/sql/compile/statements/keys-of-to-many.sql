select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (exists (
      select 1 from "comments" t1 where t1."article" = t0."id" and t1."id" = $1::bigint
    ) and exists (
      select 1 from "comments" t2 where t2."article" = t0."id" and not (t2."id" = any($2::bigint[]))
    ) and not exists (
      select 1 from "comments" t3 where t3."article" = t0."id"
    ) and exists (
      select 1 from "comments" t4 where t4."article" = t0."id"
    )) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list",1,[2,3]]
