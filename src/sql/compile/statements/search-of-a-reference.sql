select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "homepage" t0 where (t0."headline" ilike $1::text) order by t0."id" limit 100::bigint
  ) t0
) r
-- ["list","%x%"]
