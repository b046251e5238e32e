// Measures how long the event loop of a server is kept: `node --require probe.cjs …`, started with an IPC channel. For each message it
// answers with what was measured since the last one, in milliseconds.
const { monitorEventLoopDelay } = require('node:perf_hooks');

const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
process.on('message', () => {
  const [max, p99] = [delays.max, delays.percentile(99)].map((ns) => Math.round(ns / 1e4) / 100);
  process.send?.({ max, p99, rss: process.memoryUsage.rss() });
  delays.reset();
});
// must not keep the server alive once it is told to stop
process.channel?.unref();
