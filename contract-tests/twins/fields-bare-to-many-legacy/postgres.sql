select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."id" as "id", (select coalesce(json_agg(r.*), '[]') from (select t1."id" as "id" from (select t1."id" from "authors" t1 where t1."mentor" = t0."id" order by t1."id") t1) r) as "students" from (select t0."id" from "authors" t0 order by t0."id" limit 10::bigint) t0) r
-- []
