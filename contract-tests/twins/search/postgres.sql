select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."id" as "id" from (select t0."id" from "authors" t0 where (t0."id" = $1::bigint or t0."name" ilike $2::text or t0."email" ilike $3::text or t0."age" = $4::bigint or t0."mentor" = $5::bigint) order by t0."id" limit 10::bigint) t0) r
-- [null,"%ann%","%ann%",null,null]
