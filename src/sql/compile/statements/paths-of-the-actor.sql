select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (t0."title" = (
      select t1."title"::text from "platform_users" t1 where t1."id" = $1::uuid limit 1
    ) or (t0."user_created" = any($2::uuid[]) or t0."user_created" = any(nullif(array(
      select t4."id"::uuid as v from "platform_users" t2 join "platform_roles" t3 on t3."id" = t2."role" join "platform_users" t4 on t4."role" = t3."id" where t2."id" = $3::uuid
    ), '{}'))) or not (t0."user_created" = any(nullif(array(
      select t7."id"::uuid as v from "platform_users" t5 join "platform_roles" t6 on t6."id" = t5."role" join "platform_users" t7 on t7."role" = t6."id" where t5."id" = $4::uuid
    ), '{}'))) or t0."title" like (
      select t8."name"::text from "platform_roles" t8 where t8."id" = $5::uuid limit 1
    ) or (t0."keywords" = any($6::text[]) or t0."keywords" = any(nullif(array(
      select json_array_elements_text(case json_typeof(t9."tags") when 'array' then t9."tags" else json_build_array(t9."tags") end)::text as v from "platform_users" t9 where t9."id" = $7::uuid
    ), '{}'))) or t0."views" between (
      select t10."theme_light"::bigint from "platform_users" t10 where t10."id" = $8::uuid limit 1
    ) and $9::bigint) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list","aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",["aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"],"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb",["x"],"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",7]
