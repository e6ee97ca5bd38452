select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (case when isfinite(t0."date_created") then extract(year from t0."date_created" at time zone 'UTC')::integer end > $1::bigint and (
      select count(*) from "comments" t1 where t1."article" = t0."id"
    ) = $2::bigint and case json_typeof(t0."metadata") when 'array' then json_array_length(t0."metadata") else 0 end <> $3::bigint) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list",2000,0,1]
