select coalesce(json_agg(r), '[]')::text as "json", count(*)::integer as "rows" from (select t0."id" as "id" from (select t0."id" from "authors" t0 where (exists (select 1 from "authors" t1 where t1."mentor" = t0."id" and t1."id" = $1::bigint) and exists (select 1 from "authors" t2 where t2."mentor" = t0."id" and t2."id" = $2::bigint)) order by t0."id" limit $3::bigint) t0) r
-- [4,5,10]
