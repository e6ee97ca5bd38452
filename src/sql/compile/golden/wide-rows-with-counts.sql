select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows", (
  select count(*) from "comments" t1 where t1."approved" = $2::boolean
) as "filtered", (
  select count(*) from "comments" t2
) as "total" from (
  select t0."id"::text as "id", t0."body" as "body" from (
    select t0."id", t0."body" from "comments" t0 where t0."approved" = $1::boolean order by t0."id"
  ) t0
) r
-- [false,false]
