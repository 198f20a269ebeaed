-- Receives and acknowledges until the time is up or nothing is left.
-- Argument: a Lua file that returns the table of ReceiveTemplate:
--   receive  the complete RECV
--   marks    text before each value that an acknowledgement needs, in the order of the answer
--   empty    text of an answer without messages
--   failure  text of an answer that refused an acknowledgement
--   head     the acknowledgement up to the value of Content-Length
--   open, close      start and end of its body
--   each, between    text around the values of a message; text between two messages
-- Values are cut out of the answer without parsing it. The connections of a thread share its list of
-- acknowledgements: a free one sends the next, and receives only if there is none.
local ffi = require("ffi")
ffi.cdef[[
  typedef struct { long seconds; long nanos; } moment;
  int clock_gettime(int, moment *);
  int getpid(void);
  int kill(int, int);
]]
local threads = {}

local SIGINT = 2

-- Fewer empty answers in a row may only mean that other connections hold the rest.
local MOST_EMPTY = 300

local function micros()
  local now = ffi.new("moment")
  ffi.C.clock_gettime(1, now)
  return tonumber(now.seconds) * 1e6 + tonumber(now.nanos) / 1e3
end

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  given = dofile(args[1])
  acks, sizes, first, last = {}, {}, 1, 0
  messages, failures, empties = 0, 0, 0
  began, ended = 0, 0
end

function request()
  if began == 0 then
    began = micros()
  end
  if first > last then
    return given.receive
  end
  local ack = acks[first]
  messages = messages + sizes[first]
  acks[first], sizes[first] = nil, nil
  first = first + 1
  return ack
end

local function acknowledgement(body)
  local pieces, size, at = { given.open }, 0, 1
  while true do
    for i, mark in ipairs(given.marks) do
      local _, before = body:find(mark, at, true)
      if not before then
        pieces[#pieces + 1] = given.close
        return table.concat(pieces), size
      end
      local after = body:find('"', before + 1, true)
      if i == 1 and size > 0 then
        pieces[#pieces + 1] = given.between
      end
      pieces[#pieces + 1] = given.each[i]
      pieces[#pieces + 1] = body:sub(before + 1, after - 1)
      at = after
    end
    pieces[#pieces + 1] = given.each[#given.each]
    size = size + 1
  end
end

function response(status, headers, body)
  if status >= 300 then
    return
  end
  if body:find(given.empty, 1, true) then
    empties = empties + 1
    if empties >= MOST_EMPTY and first > last then
      wrk.thread:stop()
      -- Wakes the main thread, which otherwise sleeps until the time is up.
      ffi.C.kill(ffi.C.getpid(), SIGINT)
    end
    return
  end
  local json, size = acknowledgement(body)
  if size > 0 then
    last = last + 1
    acks[last] = given.head .. #json .. "\r\n\r\n" .. json
    sizes[last] = size
    ended, empties = micros(), 0
  elseif body:find(given.failure, 1, true) then
    failures = failures + 1
  end
end

function done(summary, latency, requests)
  local errors, messages, failures, began, ended = summary.errors, 0, 0, math.huge, 0
  for _, thread in ipairs(threads) do
    messages = messages + thread:get("messages")
    failures = failures + thread:get("failures")
    began = math.min(began, thread:get("began"))
    ended = math.max(ended, thread:get("ended"))
  end
  io.write(string.format(
    'RESULT {"messages":%d,"micros":%d,"p50":%d,"p95":%d,"p99":%d,"failed":%d,"broken":%d}\n',
    messages, ended - began,
    latency:percentile(50), latency:percentile(95), latency:percentile(99),
    errors.status + failures, errors.connect + errors.read + errors.write + errors.timeout))
end
