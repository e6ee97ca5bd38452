select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t1.k0 as "status", t1.v0::text as "count" from (select t0.k0, count(*) as v0 from (select t0."status" as k0 from "articles" t0) t0 group by t0.k0 order by k0, k0 limit 10::bigint) t1) r
-- []
