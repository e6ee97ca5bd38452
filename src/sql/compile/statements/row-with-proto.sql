select row_to_json(r.*)::text as "json" from (
  select t0."title" as "__proto__" from "articles" t0 where t0."id" = $1::bigint
) r
-- ["row",1]
