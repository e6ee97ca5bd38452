select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (t0."title" = (
      select t1."tags"::text from "platform_users" t1 where t1."id" = $1::uuid limit 1
    ) and t0."title" like $2::text and t0."title" ilike (
      select t2."tags"::text from "platform_users" t2 where t2."id" = $3::uuid limit 1
    )) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list","aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",null,"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"]
