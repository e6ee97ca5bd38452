select coalesce(json_agg(r), '[]')::text as "json", count(*)::integer as "rows" from (select t0."id" as "id", extract(year from t0."published" at time zone 'UTC')::integer as "published_year" from (select t0."id", t0."published" from "articles" t0 where extract(year from t0."published" at time zone 'UTC')::integer = $1::bigint order by t0."id" limit $2::bigint) t0) r
-- [2026,10]
