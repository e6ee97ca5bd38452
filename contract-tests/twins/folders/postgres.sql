select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."name" as "name" from (select t0."name" from "platform_folders" t0 order by t0."name", t0."id" limit 5::bigint) t0) r
-- []
