#!lua flags=no-writes,allow-oom
-- Returns {0, messages}.
return {0, redis.call('HLEN', KEYS[3])}
