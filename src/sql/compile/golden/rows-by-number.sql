select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (t0."user_created" = (
      select t1."id" from "platform_users" t1 where t1."number" = $1::bigint
    ) or (
      select t2."number" from "platform_users" t2 where t2."id" = t0."user_updated"
    ) = any($2::bigint[]) or (
      select t3."number" from "platform_files" t3 where t3."id" = t0."image"
    ) > $3::bigint or t0."id" = $4::bigint) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- [7,[7,8],3,5]
