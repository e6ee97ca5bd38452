select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."id" as "id", t0."name" as "name", t0."email" as "email", t0."age" as "age", t0."mentor" as "mentor" from (select t0."id", t0."name", t0."email", t0."age", t0."mentor" from "authors" t0 order by t0."id" limit 10::bigint) t0) r
-- []
