select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id"::text as "id" from (
    select t0."id" from "comments" t0 where t0."id" = any(nullif(array(
      select t3."id"::bigint from "authors" t1 join "articles" t2 on t2."author" = t1."id" join "comments" t3 on t3."article" = t2."id" where t1."age" > $1::bigint and t2."status" = $2::text
    ), '{}')) order by t0."id" limit 100::bigint
  ) t0
) r
-- ["list",50,"published"]
