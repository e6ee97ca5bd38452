select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."id" as "id", t0."owner" as "owner" from (select t0."id", t0."owner" from "articles" t0 where t0."owner" = $1::uuid order by t0."id" limit 10::bigint) t0) r
-- ["00000000-0000-4000-8000-000000000001"]
