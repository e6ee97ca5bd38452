select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (t0."user_created" = any($1::uuid[]) and t0."user_created" = any($2::uuid[]) and not (t0."user_created" = any($3::uuid[])) and t0."user_created" = $4::uuid) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list",["bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"],null,["bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"],"bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"]
