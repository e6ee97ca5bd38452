select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "homepage" t0 where ((replace(replace(replace(t0."featured_article"::text, '%', '%25'), ';', '%3B'), ',', '%2C') || ';' || replace(replace(replace(t0."headline"::text, '%', '%25'), ';', '%3B'), ',', '%2C')) like $1::text and (replace(replace(replace(t0."featured_article"::text, '%', '%25'), ';', '%3B'), ',', '%2C') || ';' || replace(replace(replace(t0."headline"::text, '%', '%25'), ';', '%3B'), ',', '%2C')) > $2::text and (replace(replace(replace(t0."featured_article"::text, '%', '%25'), ';', '%3B'), ',', '%2C') || ';' || replace(replace(replace(t0."headline"::text, '%', '%25'), ';', '%3B'), ',', '%2C')) = (
      select t1."title"::text from "platform_users" t1 where t1."id" = $3::uuid limit 1
    ) and (t0."featured_article" = $4::bigint and t0."headline" = $5::text)) order by t0."id" limit 100::bigint
  ) t0
) r
-- ["list","%ice%","1;ice","aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",null,null]
