#!lua flags=allow-oom
-- Returns {0}, or why the receipt is lost: {4} no message, {5} expired, {6} delivered again.
local invisible, data, meta = KEYS[2], KEYS[3], KEYS[4]
local entry, receipt, timeout = unpack(ARGV)
local held = redis.call('HGET', meta, entry)
if held ~= receipt then
  if redis.call('HEXISTS', data, entry) == 0 then
    return {4}
  end
  return {string.find(held or '', '^%d+%.') and 6 or 5}
end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
if tonumber(redis.call('ZSCORE', invisible, entry) or 0) <= now then
  return {5}
end
redis.call('ZADD', invisible, now + timeout, entry)
return {0}
