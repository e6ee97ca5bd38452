select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."id" as "id" from (select t0."id" from "comments" t0 where exists (select 1 from "articles" t1 where t1."id" = t0."article" and exists (select 1 from "authors" t2 where t2."id" = t1."author" and t2."name" = $1::text)) order by t0."id" limit 10::bigint) t0) r
-- ["Ann"]
