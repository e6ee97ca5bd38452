select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "platform_roles" t0 where ((t0."id" = any($1::uuid[]) or t0."number" = any($2::bigint[]) or t0."id" = any(nullif(array(
      select t3."id"::uuid from "platform_roles" t1 join "platform_users" t2 on t2."role" = t1."id" join "platform_roles" t3 on t3."id" = t2."role"
    ), '{}'))) and t0."number" between $3::bigint and $4::bigint and t0."number" between $5::bigint and $6::bigint and t0."id" between $7::uuid and $8::uuid) order by t0."id" limit 100::bigint
  ) t0
) r
-- ["list",[null],[1],2,null,3,null,"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",null]
