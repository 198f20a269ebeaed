#!lua flags=allow-oom
-- Returns {0, messages deleted}.
local deleted = redis.call('HLEN', KEYS[3])
redis.call('UNLINK', unpack(KEYS))
return {0, deleted}
