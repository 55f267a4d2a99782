/**
 * What the server does in one step. Every script has one key, the team's tag, and makes all names of it, so that they
 * lie on the same node of a cluster. Times are spans; the clock is the server's.
 */
const RISING = `
local base = KEYS[1]
-- Higher than all before, by the clock also where a server that took over has lost the last ones.
local function rise(name)
  local time = redis.call('TIME')
  local number = math.max(tonumber(time[1]) * 1000000 + tonumber(time[2]), tonumber(redis.call('GET', base .. name) or '0') + 1)
  local text = string.format('%.0f', number)
  redis.call('SET', base .. name, text)
  return text
end
`;

/** ARGV: deliveries as JSON, how long each is remembered. Returns 1 for each that is taken, 0 for each that is refused. */
export const COMMIT = `${RISING}
local function keyOf(id) return base .. ':c:' .. id end

local function textOf(number)
  if number == math.floor(number) and math.abs(number) < 1e15 then return string.format('%.0f', number) end
  for digits = 15, 17 do
    local text = string.format('%.' .. digits .. 'g', number)
    if tonumber(text) == number then return text end
  end
end

local function holds(reads)
  for _, read in ipairs(reads) do
    local value = redis.call('GET', keyOf(read[1])) or cjson.null
    if value ~= read[2] then return false end
  end
  return true
end

local function forget(id)
  redis.call('DEL', keyOf(id))
  redis.call('SREM', base .. ':ids', id)
end

local function put(id, value, left)
  if left < 0 then return forget(id) end
  if left > 0 then redis.call('SET', keyOf(id), value, 'PX', string.format('%.0f', left))
  else redis.call('SET', keyOf(id), value) end
  redis.call('SADD', base .. ':ids', id)
end

local function apply(change)
  local op, id, what, left = change[1], change[2], change[3], change[4]
  if op == 'set' then put(id, what, left)
  elseif op == 'delete' then forget(id)
  else
    local before = redis.call('GET', keyOf(id))
    local sum = textOf((tonumber(before or '0') or 0) + what)
    if before then redis.call('SET', keyOf(id), sum, 'KEEPTTL') else put(id, sum, left) end
  end
end

local function push(delivery, changed)
  local before = redis.call('GET', base .. ':n') or '0'
  local cells = {}
  for id in pairs(changed) do
    cells[#cells + 1] = { id, redis.call('GET', keyOf(id)) or cjson.null, math.max(redis.call('PTTL', keyOf(id)), 0) }
  end
  if #cells == 0 then return end
  redis.call('SPUBLISH', base .. ':pushed', cjson.encode({ rise(':n'), before, delivery, cells }))
end

-- As the server does with keys: a few by chance each time, so that those that have expired leave the list.
local function sweep()
  for _, id in ipairs(redis.call('SRANDMEMBER', base .. ':ids', 3)) do
    if redis.call('EXISTS', keyOf(id)) == 0 then redis.call('SREM', base .. ':ids', id) end
  end
end

local verdicts = {}
for at, each in ipairs(cjson.decode(ARGV[1])) do
  local delivery, reads, changes, isLate = each[1], each[2], each[3], each[4]
  local mark = base .. ':d:' .. delivery
  local known = redis.call('GET', mark)
  if not known then
    local isTaken = holds(reads)
    local changed = {}
    for _, change in ipairs(changes) do
      if isTaken or (isLate and change[1] == 'add') then
        apply(change)
        changed[change[2]] = true
      end
    end
    known = isTaken and '1' or '0'
    redis.call('SET', mark, known, 'PX', ARGV[2])
    push(delivery, changed)
    sweep()
  end
  verdicts[at] = tonumber(known)
end
return verdicts
`;

/** ARGV: ids as JSON. Returns value and time left of each. */
export const READ = `
local found = {}
for _, id in ipairs(cjson.decode(ARGV[1])) do
  local key = KEYS[1] .. ':c:' .. id
  found[#found + 1] = redis.call('GET', key)
  found[#found + 1] = redis.call('PTTL', key)
end
return found
`;

/** ARGV: lease, holder, how long. Returns whether it is taken, its fence, its holder, what is left. */
export const TAKE = `${RISING}
local key = base .. ':l:' .. ARGV[1]
local held = redis.call('GET', key)
local fence, holder
if held then
  fence, holder = string.match(held, '^(%d+) (.*)$')
  if holder ~= ARGV[2] then return { 0, fence, holder, redis.call('PTTL', key) } end
end
fence = fence or rise(':f')
redis.call('SET', key, fence .. ' ' .. ARGV[2], 'PX', ARGV[3])
return { 1, fence, ARGV[2], tonumber(ARGV[3]) }
`;

/** ARGV: lease, holder. */
export const RELEASE = `
local key = KEYS[1] .. ':l:' .. ARGV[1]
local held = redis.call('GET', key)
if not held or string.match(held, '^%d+ (.*)$') ~= ARGV[2] then return 0 end
return redis.call('DEL', key)
`;

/** ARGV: deliveries as JSON, how long each is still remembered. */
export const FORGET = `
for _, delivery in ipairs(cjson.decode(ARGV[1])) do redis.call('PEXPIRE', KEYS[1] .. ':d:' .. delivery, ARGV[2]) end
return 1
`;
