select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."name" as "name" from (
    select t0."name" from "tags" t0 order by t0."name" limit $1::bigint
  ) t0
) r
-- [7]
