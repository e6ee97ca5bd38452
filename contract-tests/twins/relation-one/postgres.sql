select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."id" as "id" from (select t0."id" from "comments" t0 where exists (select 1 from "articles" t1 where t1."id" = t0."article" and t1."title" ilike $1::text) order by t0."id" limit 10::bigint) t0) r
-- ["%hello%"]
