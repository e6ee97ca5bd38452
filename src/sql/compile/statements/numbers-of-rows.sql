select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."number" as "id" from (
    select t0."id", t0."number" from "platform_roles" t0 where (t0."number" = $1::bigint or t0."number" > $2::bigint or t0."number" between $3::bigint and $4::bigint or (t0."id" = any($5::uuid[]) or t0."number" = any($6::bigint[]))) order by t0."number" desc limit 100::bigint
  ) t0
) r
-- ["list",1,2,3,4,["bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"],[5,6]]
