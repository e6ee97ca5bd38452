select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."number" as "id", (
    select t1."number" from "platform_roles" t1 where t1."id" = t0."parent"
  ) as "parent" from (
    select t0."id", t0."number", t0."parent" from "platform_roles" t0 where (t0."parent" = (
      select t2."id" from "platform_roles" t2 where t2."number" = $1::bigint
    ) or (
      select t3."number" from "platform_roles" t3 where t3."id" = t0."parent"
    ) > $2::bigint or (
      select t4."number" from "platform_roles" t4 where t4."id" = t0."parent"
    ) = any($3::bigint[])) order by t0."number" limit 100::bigint
  ) t0
) r
-- ["list",1,2,[3]]
