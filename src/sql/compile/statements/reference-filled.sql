select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "homepage" t0 where ((t0."featured_article" is null or t0."headline" is null) and (t0."featured_article" is null or t0."headline" is null) and t0."featured_article" is not null and t0."headline" is not null and t0."featured_article" is not null and t0."headline" is not null) order by t0."id" limit 100::bigint
  ) t0
) r
-- ["list"]
