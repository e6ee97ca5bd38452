select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."id" as "id" from (select t0."id" from "articles" t0 where (t0."featured" = $1::boolean and t0."status" <> $2::text) order by t0."id" limit 10::bigint) t0) r
-- [true,"archived"]
