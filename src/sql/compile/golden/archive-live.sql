select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows", (
  select count(*) from "articles" t1 where t1."id" < $3::bigint and (t1."status" is null or not (t1."status" = any($4::text[])))
) as "total", case when count(*) < 1 then count(*) else (
  select count(*) from "articles" t2 where t2."featured" = $5::boolean and (t2."status" is null or not (t2."status" = any($6::text[])))
) end as "filtered" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where t0."featured" = $1::boolean and (t0."status" is null or not (t0."status" = any($2::text[]))) order by t0."sort", t0."id" limit 1::bigint
  ) t0
) r
-- [true,["archived"],5,["archived"],true,["archived"]]
