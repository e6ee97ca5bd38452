select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (t0."address" > $1::text::inet and t0."address" between $2::text::inet and $3::text::inet and abbrev(t0."address") = regexp_replace($4::text, '^([0-9.]+)/32$|^([0-9a-f:.]+)/128$', '\1\2') and abbrev(t0."address") < (
      select regexp_replace(t1."email"::text, '^([0-9.]+)/32$|^([0-9a-f:.]+)/128$', '\1\2') from "platform_users" t1 where t1."id" = $5::uuid limit 1
    ) and abbrev(t0."address") = any((
      select array_agg(regexp_replace(a, '^([0-9.]+)/32$|^([0-9a-f:.]+)/128$', '\1\2')) from unnest($6::text[]) a
    )::text[])) order by t0."address" desc, t0."id" limit 100::bigint
  ) t0
) r
-- ["list","10.0.0.1","10.0.0.1","10.0.0.9","10.0.0.1","aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",["10.0.0.1"]]
