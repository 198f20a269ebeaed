#!lua
-- Returns {0, id} if added, {1, id of the first} if repeated, {2} if full, {3} if the key has another body.
local pending, invisible, data = KEYS[1], KEYS[2], KEYS[3]
local entry, id, delay, capacity, content, touch = unpack(ARGV)
if redis.call('HLEN', data) < tonumber(capacity) then
  local time = redis.call('TIME')
  local record = id .. string.format('%s%06d', time[1], time[2]) .. content
  if redis.call('HSETNX', data, entry, record) == 1 then
    if delay == '0' then
      redis.call('RPUSH', pending, entry)
    else
      redis.call('ZADD', invisible, time[1] * 1000000 + time[2] + delay, entry)
    end
    return {0, id}
  end
end
local stored = redis.call('HGET', data, entry)
if not stored then
  return {2}
end
local function body(text, start)
  return string.sub(text, start + 8 + (tonumber(string.sub(text, start, start + 7)) or 0))
end
if body(stored, 49) ~= body(content, 1) then
  return {3}
end
if touch == '1' then
  -- WAIT counts replicas that have this connection's last write, so a repeat has to write too.
  redis.call('HSET', data, entry, stored)
end
return {1, string.sub(stored, 1, 32)}
