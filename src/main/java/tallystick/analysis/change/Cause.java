package tallystick.analysis.change;

import java.util.List;
import tallystick.analysis.result.Circumstance;
import tallystick.analysis.result.Interpretation.DirectionCode;

/**
 * What may be why parts of a wait grew, with the words of docs/runbook.md. The ones of the engine
 * come before those of the way there; a cause that names what it needs before one that is left when
 * nothing else is seen.
 */
enum Cause {
  STANDSTILL(
      DirectionCode.ENGINE_STOOD_STILL, "engine-stood-still",
      List.of(Circumstance.ENGINE_STOOD_STILL),
      "an engine that stood still: it made no token while requests were in it",
      "Look in the engine's log and in the machine's at that time: a stopped process, a lost"
          + " device, a long collection or compilation."),
  PREEMPTION(
      DirectionCode.SATURATION, "preemptions",
      List.of(
          Circumstance.PREEMPTIONS_PER_REQUEST, Circumstance.KV_USAGE_PEAK,
          Circumstance.OUTPUT_TOKENS_RATE),
      "preemption: the KV cache is full, and requests are put back and computed again",
      "With preemptions: more KV cache, fewer sequences, shorter answers, or a lower rate."),
  FOREIGN_LOAD(
      DirectionCode.FOREIGN_LOAD, "foreign-load",
      List.of(
          Circumstance.FOREIGN_REQUESTS, Circumstance.FINISHED_RATE,
          Circumstance.REQUESTS_RUNNING),
      "load that this run did not send: somebody else uses the engine",
      "Stop other clients, health checks that generate, and retries; or measure elsewhere."),
  FEWER_ENGINES(
      DirectionCode.FEWER_ENGINES, "fewer-engines",
      List.of(Circumstance.ENGINES, Circumstance.OFFERED_RATE, Circumstance.REQUESTS_RUNNING),
      "fewer engines than in the reference: each of them is asked for more",
      "See which engine is missing: by a setting, or because it is down or not read."),
  LOAD_BEYOND_CAPACITY(
      DirectionCode.OFFERED_LOAD_BEYOND_CAPACITY, "ttft-and-queue",
      List.of(
          Circumstance.OFFERED_RATE, Circumstance.FINISHED_RATE, Circumstance.REQUESTS_RUNNING,
          Circumstance.REQUESTS_WAITING),
      "an offered load near or beyond capacity: more requests come, so they wait and share their"
          + " steps",
      "Compare offered with completed requests per second, and waiting over time.",
      "Run the same mix at a lower rate: if TTFT returns, capacity is the limit."),
  MORE_LOAD(
      DirectionCode.MORE_LOAD, "ttft-and-queue",
      List.of(
          Circumstance.OFFERED_RATE, Circumstance.FINISHED_RATE, Circumstance.REQUESTS_RUNNING,
          Circumstance.REQUESTS_WAITING),
      "more load: more requests come and share the engine's steps, which take longer",
      "Compare requests running and TPOT of both periods.",
      "Run the same mix at a lower rate: if TTFT returns, the load is the reason."),
  WAITING_ALONE(
      DirectionCode.OFFERED_LOAD_BEYOND_CAPACITY, "ttft-and-queue",
      List.of(
          Circumstance.OFFERED_RATE, Circumstance.REQUESTS_RUNNING,
          Circumstance.REQUESTS_WAITING),
      "requests that wait although no more of them come: the load is near or beyond what the"
          + " engine carries, and it may carry less than before",
      "Compare --max-num-seqs, --max-num-batched-tokens and the KV cache's size of both periods.",
      "Run the same mix at a lower rate: if TTFT returns, capacity is the limit."),
  FEWER_AT_ONCE(
      DirectionCode.FEWER_AT_ONCE, "ttft-and-queue",
      List.of(
          Circumstance.MOST_RUNNING, Circumstance.REQUESTS_RUNNING,
          Circumstance.REQUESTS_WAITING),
      "an engine that takes in fewer requests at once than before: the others wait",
      "Compare --max-num-seqs, --max-num-batched-tokens and the KV cache's size of both periods."),
  BURSTS(
      DirectionCode.BURSTY_ARRIVALS, "ttft-and-queue",
      List.of(Circumstance.BURSTINESS, Circumstance.OFFERED_RATE, Circumstance.REQUESTS_WAITING),
      "arrivals that come in bursts: requests that come together wait for one another",
      "Compare the arrivals over time; the mean rate hides them.",
      "Smooth the arrivals, or leave room for the largest burst."),
  MORE_TO_PREFILL(
      DirectionCode.MORE_TO_PREFILL, "ttft-and-queue",
      List.of(Circumstance.PROMPT_TOKENS, Circumstance.PREFIX_HIT_RATIO),
      "longer prompts or less cache reuse: more prompt tokens are to be computed, and others may"
          + " wait for them",
      "Compare prompt lengths and the prefix cache's hit ratio of both periods.",
      "Run the same mix at a lower rate: if TTFT returns, capacity is the limit."),
  LONGER_ANSWERS(
      DirectionCode.LONGER_ANSWERS, "itl-with-low-queue",
      List.of(Circumstance.ANSWER_TOKENS, Circumstance.REQUESTS_RUNNING),
      "longer answers: more tokens are made for each request, and it holds its place for longer",
      "Compare the answers' lengths and max_tokens of both periods.",
      "Compare TPOT: with equal TPOT the engine is as fast as before."),
  FEWER_TOKENS_PER_STEP(
      DirectionCode.FEWER_TOKENS_PER_STEP, "itl-with-low-queue",
      List.of(Circumstance.TOKENS_PER_STEP),
      "fewer tokens of each step: drafts of speculative decoding are accepted less often, or"
          + " nothing is drafted",
      "Compare the acceptance of drafts, the draft model and the kind of prompts of both periods."),
  SLOW_DECODE(
      DirectionCode.SLOW_DECODE, "itl-with-low-queue",
      List.of(
          Circumstance.DECODE_STEP_COST, Circumstance.REQUESTS_RUNNING,
          Circumstance.OUTPUT_TOKENS_RATE),
      "slow or uneven decoding: a token takes longer than as many requests at once explain",
      "Compare requests running and output tokens per second.",
      "Look at GPU clocks, throttling and interconnect errors."),
  SLOW_PREFILL(
      DirectionCode.SLOW_PREFILL, "ttft-and-queue",
      List.of(
          Circumstance.PROMPT_TOKEN_COST, Circumstance.PROMPT_TOKENS,
          Circumstance.PREFIX_HIT_RATIO),
      "a slow prefill or first step: a prompt takes longer to compute",
      "Compare prompt lengths and the prefix cache's hit ratio of both periods.",
      "Look at GPU clocks and throttling, and at chunked prefill's settings."),
  PREFILL_IN_MORE_STEPS(
      DirectionCode.PREFILL_IN_MORE_STEPS, "ttft-and-queue",
      List.of(
          Circumstance.PROMPT_TOKEN_COST, Circumstance.PROMPT_TOKENS,
          Circumstance.PREFIX_HIT_RATIO),
      "prefills in more steps: prompts take longer than slower steps explain",
      "Compare --max-num-batched-tokens and --long-prefill-token-threshold of both periods.",
      "Look whether more prompts are computed at once: they share the tokens of a step."),
  SATURATION(
      DirectionCode.SATURATION, "preemptions",
      List.of(
          Circumstance.OFFERED_RATE, Circumstance.REQUESTS_RUNNING,
          Circumstance.OUTPUT_TOKENS_RATE),
      "saturation or degraded infrastructure: queue, prefill and decoding are all slower, and"
          + " nothing more is asked of the engine",
      "With falling output tokens per second: look at the hardware, and for other users of it."),
  API_SERVER(
      DirectionCode.API_SERVER, "api-server",
      List.of(Circumstance.OFFERED_RATE),
      "a busy API server, or a core whose current step a new request waits for",
      "Compare the API server's CPU and tokenisation of both periods.",
      "Look for steps that last long: a request is taken in between two of them."),
  OUTSIDE(
      DirectionCode.OUTSIDE_ENGINE, "outside-the-engine",
      List.of(),
      "delay outside the engine: client, network, gateway or the HTTP side of the API server",
      "Look at the gateway's own latency and at the client's lateness and CPU."),
  CONNECTING(
      DirectionCode.CONNECTING, "outside-the-engine",
      List.of(),
      "slow connections: they take longer to open or to write to, or more of them are opened",
      "Compare the share of requests on a connection that stood.",
      "Look at the way to the server, its accept queue and TLS."),
  CLIENT_LATE(
      DirectionCode.CLIENT_LATE, "outside-the-engine",
      List.of(Circumstance.CLIENT_STOOD_STILL),
      "a client that is late: its load generator stood still or started late, or a cap held"
          + " requests back",
      "Look at the harness: its stalls, its CPU, and the cap on requests in flight.");

  final DirectionCode code;
  final String runbook;
  /** The circumstances that speak for or against it. */
  final List<Circumstance> told;

  final String text;
  final List<String> checks;

  Cause(
      DirectionCode code, String runbook, List<Circumstance> told, String text, String... checks) {
    this.code = code;
    this.runbook = runbook;
    this.told = told;
    this.text = text;
    this.checks = List.of(checks);
  }
}
