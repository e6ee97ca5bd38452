select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (not exists (
      select 1 from "comments" t1 where t1."article" = t0."id"
    ) and exists (
      select 1 from "comments" t2 where t2."article" = t0."id"
    )) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list"]
