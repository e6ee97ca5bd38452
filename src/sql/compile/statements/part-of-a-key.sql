select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles_tags" t0 where t0."article" = $1::bigint order by t0."article", t0."tag" limit 100::bigint
  ) t0
) r
-- ["list",1]
