select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where ((t0."featured" = $1::boolean and not (t0."views" between $2::bigint and $3::bigint)) or t0."title" ilike $4::text or false) order by t0."id" limit 100::bigint
  ) t0
) r
-- [true,50,200,"%100\\%%"]
