select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select (
    select t1."number" from "platform_roles" t1 where t1."id" = t0."role"
  ) as "role" from (
    select t0."role" from "platform_access" t0 where (t0."role" = (
      select t2."id" from "platform_roles" t2 where t2."number" = $1::bigint
    ) and (
      select t3."number" from "platform_roles" t3 where t3."id" = t0."role"
    ) <> $2::bigint and not ((
      select t4."number" from "platform_roles" t4 where t4."id" = t0."role"
    ) = any($3::bigint[])) and ((
      select t5."number" from "platform_roles" t5 where t5."id" = t0."user"
    ) = any($4::bigint[]) or (
      select t6."number" from "platform_users" t6 where t6."id" = t0."user"
    ) = any($5::bigint[]))) order by t0."id" limit 100::bigint
  ) t0
) r
-- ["list",1,2,[3,4],[5],[6]]
