#!lua flags=allow-oom
-- Returns a number, then five values for each delivery. The number counts if nothing is delivered:
-- the microseconds until the next expiry, or -1 if there is none.
-- A value of meta is the count of deliveries; then '.' and a nonce until another delivery, or '!' and
-- its error after a nack.
local pending, invisible, data, meta = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local max, visibility, nonce, maxBytes = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local call, match = redis.call, string.match
local time = call('TIME')
local now = time[1] * 1000000 + time[2]

local due = call('ZRANGEBYSCORE', invisible, '-inf', now, 'LIMIT', 0, 100)
for i = #due, 1, -1 do
  call('ZREM', invisible, due[i])
  call('LPUSH', pending, due[i])
end

local answer = {-1}
local bytes = 0
for i = 1, max do
  local entry = call('LPOP', pending)
  if not entry then
    break
  end
  local record = call('HGET', data, entry)
  if record and bytes > 0 and bytes + #record > maxBytes then
    call('LPUSH', pending, entry)
    break
  end
  if record then
    bytes = bytes + #record
    local count, failure, receipt = 1, '', '1.' .. nonce .. '-' .. i
    if call('HSETNX', meta, entry, receipt) == 0 then
      local last = call('HGET', meta, entry)
      count, failure = match(last, '^%d+') + 1, match(last, '^%d+!(.*)$') or ''
      receipt = count .. '.' .. nonce .. '-' .. i
      call('HSET', meta, entry, receipt)
    end
    -- One microsecond apart, so that a batch whose leases end together comes back in its order.
    call('ZADD', invisible, now + visibility + i, entry)
    local n = #answer
    answer[n + 1], answer[n + 2], answer[n + 3] = entry, receipt, count
    answer[n + 4], answer[n + 5] = failure, record
  end
end

if #answer == 1 then
  local first = call('ZRANGE', invisible, 0, 0, 'WITHSCORES')
  if first[2] then
    answer[1] = math.max(0, first[2] - now)
  end
end
return answer
