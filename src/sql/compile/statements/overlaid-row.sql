select t0."title" as "title" from "articles" t1 join lateral json_populate_record(t1, $3::json) t0 on t1."id" = $2::bigint where t0."id" = $1::bigint
-- ["objects",1,1,"{\"title\":\"x\"}"]
