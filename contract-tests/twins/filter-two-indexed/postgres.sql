select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."id" as "id" from (select t0."id" from "authors" t0 where (t0."age" >= $1::bigint and t0."age" < $2::bigint) order by t0."id" limit 10::bigint) t0) r
-- [18,65]
