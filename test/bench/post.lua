-- One call of 2026-07-28, over and over: METHOD and URI come from the environment.
local method, uri = os.getenv("METHOD"), os.getenv("URI")
wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
wrk.headers["accept"] = "application/json, text/event-stream"
wrk.headers["mcp-protocol-version"] = "2026-07-28"
wrk.headers["mcp-method"] = method
if method == "resources/read" then wrk.headers["mcp-name"] = uri end
if os.getenv("ENCODING") then wrk.headers["accept-encoding"] = os.getenv("ENCODING") end
local params = uri and ('"uri":"' .. uri .. '",') or ""
wrk.body = '{"jsonrpc":"2.0","id":1,"method":"' .. method .. '","params":{' .. params .. '"_meta":{' ..
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28",' ..
  '"io.modelcontextprotocol/clientInfo":{"name":"wrk","version":"1"},' ..
  '"io.modelcontextprotocol/clientCapabilities":{}}}}'

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %.0f %.1f %.2f %.2f %d\n", summary.requests / summary.duration * 1e6,
    summary.bytes / summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status + errors.read + errors.timeout + errors.connect))
end
