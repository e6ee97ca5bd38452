select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (t0."date_created" < $1::timestamptz and (t0."user_created" is null or t0."user_created" = $2::uuid or t0."status" = (
      select t2."name"::text from "platform_users" t1 join "platform_roles" t2 on t2."id" = t1."role" where t1."id" = $3::uuid limit 1
    ) or (t0."user_updated" = any($4::uuid[]) or t0."user_updated" = any(nullif(array(
      select t5."id"::uuid as v from "platform_users" t3 join "platform_roles" t4 on t4."id" = t3."role" join "platform_users" t5 on t5."role" = t4."id" where t3."id" = $5::uuid
    ), '{}'))) or t0."image" <> $6::uuid)) order by t0."id" limit 100::bigint
  ) t0
) r
-- ["2024-05-14T12:00:00.000Z","aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",["bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"],"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"]
