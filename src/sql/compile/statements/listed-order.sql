select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 order by array_position($1::bigint[], t0."id") desc, t0."id" limit 100::bigint
  ) t0
) r
-- ["list",[3,1]]
