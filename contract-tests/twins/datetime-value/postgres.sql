select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."id" as "id" from (select t0."id" from "authors" t0 where exists (select 1 from "articles" t1 where t1."author" = t0."id" and t1."published" >= $1::timestamptz) order by t0."id" limit 10::bigint) t0) r
-- ["2026-01-31T10:00:00Z"]
