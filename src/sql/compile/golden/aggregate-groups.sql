select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t1.k0 as "status", t1.k1::text as "date_created_year", t1.v0::text as "count", (
    select row_to_json(r.*) from (
      select t1.v1::text as "views"
    ) r
  ) as "sum", (
    select row_to_json(r.*) from (
      select t1.v2::text as "views"
    ) r
  ) as "avg", (
    select row_to_json(r.*) from (
      select coalesce(to_char((t1.v3 at time zone 'UTC'), case when t1.v3 < '0001-01-01Z' then case when t1.v3 = t1.v3::timestamptz(3) then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z BC"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z BC"' end else case when t1.v3 = t1.v3::timestamptz(3) then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"' end end), (t1.v3 at time zone 'UTC')::text) as "date_created"
    ) r
  ) as "min", (
    select row_to_json(r.*) from (
      select t1.v4 as "token"
    ) r
  ) as "max" from (
    select t0.k0, t0.k1, count(*) as v0, sum(t0.v1) as v1, avg(t0.v2) as v2, min(t0.v3) as v3, max(t0.v4::text)::uuid as v4, count(distinct t0.v5) as v5 from (
      select t0."status" as k0, case when isfinite(t0."date_created") then extract(year from t0."date_created" at time zone 'UTC')::integer end as k1, t0."views" as v1, t0."views" as v2, t0."date_created" as v3, t0."token" as v4, t0."category" as v5 from "articles" t0
    ) t0 group by t0.k0, t0.k1 order by v5 desc, k0, k0, k1 limit 100::bigint
  ) t1
) r
-- []
