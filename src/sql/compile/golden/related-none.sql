select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where not exists (
      select 1 from "comments" t1 where t1."article" = t0."id" and t1."approved" = $1::boolean
    ) order by t0."id" limit 100::bigint
  ) t0
) r
-- [true]
