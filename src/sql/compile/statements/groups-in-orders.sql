select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select nullif(t1.k0::text, '')::json as "m", t1.k1 as "y", (
    select row_to_json(r.*) from (
      select coalesce(to_char((t1.v0 at time zone 'UTC'), case when t1.v0 < '0001-01-01Z' then case when t1.v0 = t1.v0::timestamptz(3) then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z BC"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z BC"' end else case when t1.v0 = t1.v0::timestamptz(3) then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"' end end), (t1.v0 at time zone 'UTC')::text) as "last"
    ) r
  ) as "max" from (
    select t0.k0, t0.k1, max(t0.v0) as v0, sum(t0.v1) as v1 from (
      select t0."metadata"::text as k0, case when isfinite(t0."date_created") then extract(year from t0."date_created" at time zone 'UTC')::integer end as k1, t0."date_created" as v0, t0."views" as v1 from "articles" t0
    ) t0 group by t0.k0, t0.k1 order by v1 desc nulls last, v0, k0, k1 desc, random(), k0, k1 limit 100::bigint
  ) t1
) r
-- ["list"]
