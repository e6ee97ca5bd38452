select row_to_json(r.*)::text as "json" from (
  select t0."number" as "id" from "platform_roles" t0 where t0."number" = $1::bigint
) r
-- ["row",1]
