select case when t0."status" = $1::text then t0."title" end as "title", case when t0."featured" = $2::boolean then t0."body" end as "body" from "articles" t0 where t0."id" = $3::bigint
-- ["published",false,1]
