select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."name" as "name" from (select t0."name" from "authors" t0 where t0."id" in (select distinct on (t1."name") t1."id" from "authors" t1 order by t1."name", t1."id") order by t0."id" limit 10::bigint) t0) r
-- []
