select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select (
    select t1."number" from "platform_users" t1 where t1."id" = t0."id"
  ) as "id" from (
    select t0."id" from "regions" t0 where (t0."id" = (
      select t2."id" from "platform_users" t2 where t2."number" = $1::bigint
    ) or (
      select t3."number" from "platform_users" t3 where t3."id" = t0."id"
    ) > $2::bigint) order by (
      select t4."number" from "platform_users" t4 where t4."id" = t0."id"
    ) limit 100::bigint
  ) t0
) r
-- ["list",1,2]
