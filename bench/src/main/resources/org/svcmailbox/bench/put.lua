-- The same request over and over, with a number of its own in each place of a key, in a closed loop.
-- Argument: a Lua file that returns a table:
--   parts    the request, cut where the numbers go; all of them have twelve digits
--   failure  what the answer has in it when not everything was done, if the status does not tell
--   batch    messages in a request
-- Every request has the same length, so that building one stays cheap.
local threads = {}

function setup(thread)
  thread:set("id", #threads)
  table.insert(threads, thread)
end

function init(args)
  local given = dofile(args[1])
  parts, failure, batch = given.parts, given.failure, given.batch
  -- Threads must not meet.
  number = id * 100000000000
  failures = 0
  pieces = {}
  for i, part in ipairs(parts) do
    pieces[2 * i - 1] = part
  end
  if failure then
    response = check
  end
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
  end
  io.write(string.format(
    'RESULT {"messages":%d,"micros":%d,"p50":%d,"p95":%d,"p99":%d,"failed":%d,"broken":%d}\n',
    summary.requests * batch, summary.duration,
    latency:percentile(50), latency:percentile(95), latency:percentile(99),
    errors.status + failures, errors.connect + errors.read + errors.write + errors.timeout))
end
