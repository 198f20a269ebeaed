#!lua flags=allow-oom
-- Returns {0}, or why the receipt is lost: {4} no message, {5} expired, {6} delivered again.
-- A lease that ran out counts until the message is delivered again.
local pending, invisible, data, meta = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local entry, receipt = unpack(ARGV)
local held = redis.call('HGET', meta, entry)
if held ~= receipt then
  if redis.call('HEXISTS', data, entry) == 0 then
    return {4}
  end
  return {string.find(held or '', '^%d+%.') and 6 or 5}
end
if redis.call('ZREM', invisible, entry) == 0 then
  -- It is back, near the head.
  redis.call('LREM', pending, 1, entry)
end
redis.call('HDEL', data, entry)
redis.call('HDEL', meta, entry)
return {0}
