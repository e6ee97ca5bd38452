select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (t0."status" = $1::text or t0."views" > $2::bigint) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list","published",1]
