select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows", (select count(*) from "authors" t1) as "total", (select count(*) from "authors" t2) as "filtered" from /* settled */ (select t0."id" as "id" from (select t0."id" from "authors" t0 order by t0."id" limit 10::bigint) t0) r
-- []
