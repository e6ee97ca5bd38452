select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."id" as "id", case when t0."age" >= $1::bigint then t0."email" end as "email" from (select t0."id", t0."email", t0."age" from "authors" t0 order by t0."id" limit 10::bigint) t0) r
-- [18]
