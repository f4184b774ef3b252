package tallystick.analysis.change;

import java.util.List;

/**
 * What may be why parts of a wait grew, with the words of docs/runbook.md. The ones of the engine
 * come before those of the way there; a cause that names what it needs before one that is left when
 * nothing else is seen.
 */
enum Cause {
  STANDSTILL(
      "engine_stood_still", "engine-stood-still",
      List.of("engine_stood_still"),
      "an engine that stood still: it made no token while requests were in it",
      "Look in the engine's log and in the machine's at that time: a stopped process, a lost"
          + " device, a long collection or compilation."),
  PREEMPTION(
      "saturation", "preemptions",
      List.of("preemptions_per_request", "kv_usage_peak", "output_tokens_rate"),
      "preemption: the KV cache is full, and requests are put back and computed again",
      "With preemptions: more KV cache, fewer sequences, shorter answers, or a lower rate."),
  MORE_LOAD(
      "offered_load_beyond_capacity", "ttft-and-queue",
      List.of("offered_rate", "finished_rate", "requests_running", "requests_waiting"),
      "an offered load beyond capacity: more requests come, so they wait and share their steps",
      "Compare offered with completed requests per second, and waiting over time.",
      "Run the same mix at a lower rate: if TTFT returns, capacity is the limit."),
  BURSTS(
      "bursty_arrivals", "ttft-and-queue",
      List.of("burstiness", "offered_rate", "requests_waiting"),
      "arrivals that come in bursts: requests that come together wait for one another",
      "Compare the arrivals over time; the mean rate hides them.",
      "Smooth the arrivals, or leave room for the largest burst."),
  LARGE_PREFILLS(
      "large_prefills", "ttft-and-queue",
      List.of("prompt_tokens", "prefix_hit_ratio"),
      "large prefills that hold the scheduler: more prompt tokens are to be computed",
      "Compare prompt lengths and the prefix cache's hit ratio of both stretches.",
      "Run the same mix at a lower rate: if TTFT returns, capacity is the limit."),
  MORE_TO_PREFILL(
      "slow_prefill", "ttft-and-queue",
      List.of("prompt_tokens", "prefix_hit_ratio"),
      "longer prompts or less cache reuse: more prompt tokens are to be computed",
      "Compare prompt lengths and the prefix cache's hit ratio of both stretches."),
  LONGER_ANSWERS(
      "longer_answers", "itl-with-low-queue",
      List.of("answer_tokens", "requests_running"),
      "longer answers: more tokens are made for each request, and it holds its place for longer",
      "Compare the answers' lengths and max_tokens of both stretches.",
      "Compare TPOT: with equal TPOT the engine is as fast as before."),
  SLOW_DECODE(
      "slow_decode", "itl-with-low-queue",
      List.of("decode_step_cost", "requests_running", "output_tokens_rate"),
      "slow or uneven decoding: a token takes longer than as many requests at once explain",
      "Compare requests running and output tokens per second.",
      "Look at GPU clocks, throttling and interconnect errors."),
  SLOW_PREFILL(
      "slow_prefill", "ttft-and-queue",
      List.of("prompt_token_cost", "prompt_tokens", "prefix_hit_ratio"),
      "a slow prefill or first step: a prompt token takes longer to compute",
      "Compare prompt lengths and the prefix cache's hit ratio of both stretches.",
      "Look at GPU clocks and throttling, and at chunked prefill's settings."),
  SATURATION(
      "saturation", "preemptions",
      List.of("offered_rate", "requests_running", "output_tokens_rate"),
      "saturation or degraded infrastructure: queue, prefill and decoding are all slower, and"
          + " nothing more is asked of the engine",
      "With falling output tokens per second: look at the hardware, and for other users of it."),
  API_SERVER(
      "api_server", "api-server",
      List.of("offered_rate"),
      "a busy API server, or a core whose current step a new request waits for",
      "Compare the API server's CPU and tokenisation of both stretches.",
      "Look for steps that last long: a request is taken in between two of them."),
  OUTSIDE(
      "outside_engine", "outside-the-engine",
      List.of(),
      "delay outside the engine: client, network, gateway or the HTTP side of the API server",
      "Look at the gateway's own latency and at the client's lateness and CPU."),
  CONNECTING(
      "connecting", "outside-the-engine",
      List.of(),
      "slow connections: they take longer to open or to write to, or more of them are opened",
      "Compare the share of requests on a connection that stood.",
      "Look at the way to the server, its accept queue and TLS."),
  CLIENT_LATE(
      "client_late", "outside-the-engine",
      List.of("client_stood_still"),
      "a client that is late: its load generator stood still or started late, or a cap held"
          + " requests back",
      "Look at the harness: its stalls, its CPU, and the cap on requests in flight.");

  final String code;
  final String runbook;
  /** The circumstances that speak for or against it. */
  final List<String> told;

  final String text;
  final List<String> checks;

  Cause(String code, String runbook, List<String> told, String text, String... checks) {
    this.code = code;
    this.runbook = runbook;
    this.told = told;
    this.text = text;
    this.checks = List.of(checks);
  }
}
