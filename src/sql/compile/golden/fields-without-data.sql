select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id", null as "divider" from (
    select t0."id" from "articles" t0 where t0."id" < $1::bigint order by t0."id" limit 100::bigint
  ) t0
) r
-- [3]
