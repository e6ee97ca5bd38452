select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "platform_users" t0 where t0."id" = $1::uuid order by t0."id" limit 100::bigint
  ) t0
) r
-- ["list","aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"]
