-- SEND with a unique key. Arguments: topic, or several separated by commas to send to in turn; prefix of
-- the keys; payload in base64; capability.
-- Only the key changes, so that building a request stays cheap.
local threads = 0

function setup(thread)
  thread:set("id", threads)
  threads = threads + 1
end

function init(args)
  local key = "000000000000"
  local tail = '","payload":"' .. args[3] .. '"}'
  before = {}
  for topic in args[1]:gmatch("[^,]+") do
    local head = '{"topic":"' .. topic .. '","idem_key":"' .. args[2] .. string.format("%02d", id) .. '-'
    local length = #head + #key + #tail
    before[#before + 1] = "POST /v1/send HTTP/1.1\r\nHost: " .. wrk.host ..
      "\r\nAuthorization: Bearer " .. args[4] ..
      "\r\nContent-Type: application/json\r\nContent-Length: " .. length .. "\r\n\r\n" .. head
  end
  after = tail
  number = 0
end

function request()
  number = number + 1
  return before[number % #before + 1] .. string.format("%012d", number) .. after
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"micros":%d,"p50":%d,"p99":%d,"max":%d,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    latency.max, errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
