-- Repeats a request in a closed loop, with unique numbers as keys.
-- Argument: a Lua file that returns a table:
--   parts    the request, split at the keys, which have twelve digits
--   failure  text of an answer that refused a message, if the status does not tell
--   batch    messages in a request
--   since    start of the first second (CLOCK_MONOTONIC), if requests are to be counted by the second
-- Every request has the same length, so that building one stays cheap.
local ffi = require("ffi")
ffi.cdef "typedef struct { long s, ns; } bench_time; int clock_gettime(int clock, bench_time *time);"

local threads = {}
local now = ffi.new("bench_time")

function setup(thread)
  thread:set("id", #threads)
  table.insert(threads, thread)
end

function init(args)
  local given = dofile(args[1])
  parts, failure, batch = given.parts, given.failure, given.batch
  -- Each thread has a range of its own.
  number = id * 100000000000
  failures = 0
  pieces = {}
  for i, part in ipairs(parts) do
    pieces[2 * i - 1] = part
  end
  if failure then
    response = check
  end
  seconds, since = {}, given.since
  if since then
    untimed, request = request, timed
  end
end

-- Counts requests when they start: in a closed loop, the previous one is answered by then.
function timed()
  ffi.C.clock_gettime(1, now)
  local second = math.floor(tonumber(now.s) + tonumber(now.ns) / 1e9 - since) + 1
  seconds[second] = (seconds[second] or 0) + 1
  return untimed()
end

function print_seconds(thread)
  local counts, last = thread:get("seconds"), 0
  for second in pairs(counts) do
    last = math.max(last, second)
  end
  for second = 1, last do
    counts[second] = counts[second] or 0
  end
  io.write("SECONDS ", table.concat(counts, ","), "\n")
end

function request()
  for i = 2, 2 * #parts - 2, 2 do
    number = number + 1
    pieces[i] = string.format("%012d", number)
  end
  return table.concat(pieces)
end

function check(status, headers, body)
  if body:find(failure, 1, true) then
    failures = failures + 1
  end
end

function done(summary, latency, requests)
  local errors, failures, batch = summary.errors, 0, 0
  for _, thread in ipairs(threads) do
    failures = failures + thread:get("failures")
    batch = thread:get("batch")
    if thread:get("since") then
      print_seconds(thread)
    end
  end
  io.write(string.format(
    'RESULT {"messages":%d,"micros":%d,"p50":%d,"p95":%d,"p99":%d,"failed":%d,"broken":%d}\n',
    summary.requests * batch, summary.duration,
    latency:percentile(50), latency:percentile(95), latency:percentile(99),
    errors.status + failures, errors.connect + errors.read + errors.write + errors.timeout))
end
