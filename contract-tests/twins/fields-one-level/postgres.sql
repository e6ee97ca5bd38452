select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."id" as "id", (select row_to_json(r.*) from (select t1."name" as "name", t1."mentor" as "mentor" from "authors" t1 where t1."id" = t0."author") r) as "author" from (select t0."id", t0."author" from "articles" t0 order by t0."id" limit 10::bigint) t0) r
-- []
