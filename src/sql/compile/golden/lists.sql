select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (t0."id" = any($1::bigint[]) and not (t0."status" = any($2::text[]))) order by t0."id" desc limit 100::bigint
  ) t0
) r
-- [[1,2,3,4,5],["draft","archived"]]
