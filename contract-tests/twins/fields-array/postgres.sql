select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."id" as "id", t0."name" as "name" from (select t0."id", t0."name" from "authors" t0 order by t0."id" limit 10::bigint) t0) r
-- []
