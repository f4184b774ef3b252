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
      "the engine stood still: it made no token while it had requests",
      "Look in the engine's log and the machine's at that time: a stopped process, a lost device,"
          + " a long collection or compilation."),
  PREEMPTION(
      DirectionCode.SATURATION, "preemptions",
      List.of(
          Circumstance.PREEMPTIONS_PER_REQUEST, Circumstance.KV_USAGE_PEAK,
          Circumstance.OUTPUT_TOKENS_RATE),
      "the KV cache filled up, so the engine preempted requests and computed them again",
      "To stop preemptions try more KV cache, a lower max_num_seqs, shorter answers or less load."),
  FOREIGN_LOAD(
      DirectionCode.FOREIGN_LOAD, "foreign-load",
      List.of(
          Circumstance.FOREIGN_REQUESTS, Circumstance.FINISHED_RATE, Circumstance.REQUESTS_RUNNING),
      "somebody else uses the engine: it served requests that this run did not send",
      "Stop other clients, health checks that generate, and retries; or measure elsewhere."),
  FEWER_ENGINES(
      DirectionCode.FEWER_ENGINES, "fewer-engines",
      List.of(Circumstance.ENGINES, Circumstance.OFFERED_RATE, Circumstance.REQUESTS_RUNNING),
      "there are fewer engines than before, so each has more to do",
      "Find out which engine is missing: left out by a setting, down, or not scraped."),
  LOAD_BEYOND_CAPACITY(
      DirectionCode.OFFERED_LOAD_BEYOND_CAPACITY, "ttft-and-queue",
      List.of(
          Circumstance.OFFERED_RATE, Circumstance.FINISHED_RATE, Circumstance.REQUESTS_RUNNING,
          Circumstance.REQUESTS_WAITING),
      "the load is near or beyond what the engine carries: more requests came, so they queued",
      "Lower the rate, or add engines: if TTFT comes back at a lower rate, capacity is the limit.",
      "Compare offered with completed requests per second, and waiting over time."),
  MORE_LOAD(
      DirectionCode.MORE_LOAD, "ttft-and-queue",
      List.of(
          Circumstance.OFFERED_RATE, Circumstance.FINISHED_RATE, Circumstance.REQUESTS_RUNNING,
          Circumstance.REQUESTS_WAITING),
      "more load: more requests share the engine's steps, so each step takes longer",
      "Run the same mix at a lower rate: if TTFT falls again, the load was the reason.",
      "Compare running requests and TPOT before and after."),
  WAITING_ALONE(
      DirectionCode.OFFERED_LOAD_BEYOND_CAPACITY, "ttft-and-queue",
      List.of(
          Circumstance.OFFERED_RATE, Circumstance.REQUESTS_RUNNING, Circumstance.REQUESTS_WAITING),
      "a queue built up without more requests coming in: this load is about all that the engine"
          + " carries, or it carries less than before",
      "Lower the rate, or add engines: if TTFT comes back at a lower rate, capacity is the limit.",
      "Where it carried this load before: compare max_num_seqs, max_num_batched_tokens and the"
          + " KV cache's size."),
  FEWER_AT_ONCE(
      DirectionCode.FEWER_AT_ONCE, "ttft-and-queue",
      List.of(
          Circumstance.MOST_RUNNING, Circumstance.REQUESTS_RUNNING, Circumstance.REQUESTS_WAITING),
      "the engine runs fewer requests at once than before, so the others queue",
      "Compare max_num_seqs, max_num_batched_tokens and the KV cache's size before and after."),
  BURSTS(
      DirectionCode.BURSTY_ARRIVALS, "ttft-and-queue",
      List.of(Circumstance.BURSTINESS, Circumstance.OFFERED_RATE, Circumstance.REQUESTS_WAITING),
      "requests came in bursts and waited for one another",
      "Compare the arrivals over time; the mean rate hides them.",
      "Smooth the arrivals, or leave room for the largest burst."),
  MORE_TO_PREFILL(
      DirectionCode.MORE_TO_PREFILL, "ttft-and-queue",
      List.of(Circumstance.PROMPT_TOKENS, Circumstance.PREFIX_HIT_RATIO),
      "longer prompts or fewer cache hits: more prompt tokens had to be computed, and other"
          + " requests waited for that",
      "Compare prompt lengths and the prefix cache's hit ratio before and after.",
      "Run the same mix at a lower rate: if TTFT comes back, capacity is the limit."),
  LONGER_ANSWERS(
      DirectionCode.LONGER_ANSWERS, "itl-with-low-queue",
      List.of(Circumstance.ANSWER_TOKENS, Circumstance.REQUESTS_RUNNING),
      "answers were longer, so each request took longer and held its place longer",
      "Compare the answers' lengths and max_tokens before and after.",
      "Compare TPOT: with equal TPOT the engine is as fast as before."),
  FEWER_TOKENS_PER_STEP(
      DirectionCode.FEWER_TOKENS_PER_STEP, "itl-with-low-queue",
      List.of(Circumstance.TOKENS_PER_STEP),
      "each step gave fewer tokens: speculative decoding had fewer drafts accepted, or made none",
      "Compare the drafts' acceptance, the draft model and the kind of prompts before and after."),
  SLOW_DECODE(
      DirectionCode.SLOW_DECODE, "itl-with-low-queue",
      List.of(
          Circumstance.DECODE_STEP_COST, Circumstance.REQUESTS_RUNNING,
          Circumstance.OUTPUT_TOKENS_RATE),
      "decoding got slower or uneven: a token takes longer even with as many requests at once",
      "Look at GPU clocks, throttling and interconnect errors.",
      "Compare running requests and output tokens per second before and after."),
  SLOW_PREFILL(
      DirectionCode.SLOW_PREFILL, "ttft-and-queue",
      List.of(
          Circumstance.PROMPT_TOKEN_COST, Circumstance.PROMPT_TOKENS,
          Circumstance.PREFIX_HIT_RATIO),
      "prefill got slower: a prompt takes longer to compute",
      "Compare prompt lengths and the prefix cache's hit ratio before and after.",
      "Look at GPU clocks and throttling, and at chunked prefill's settings."),
  PREFILL_IN_MORE_STEPS(
      DirectionCode.PREFILL_IN_MORE_STEPS, "ttft-and-queue",
      List.of(
          Circumstance.PROMPT_TOKEN_COST, Circumstance.PROMPT_TOKENS,
          Circumstance.PREFIX_HIT_RATIO),
      "prefill took more steps: prompts take longer than slower steps explain",
      "Compare max_num_batched_tokens and long_prefill_token_threshold before and after.",
      "Look whether more prompts are computed at once: they share the tokens of a step."),
  SATURATION(
      DirectionCode.SATURATION, "preemptions",
      List.of(
          Circumstance.OFFERED_RATE, Circumstance.REQUESTS_RUNNING,
          Circumstance.OUTPUT_TOKENS_RATE),
      "the engine is saturated or its hardware degraded: queue, prefill and decoding all got slower"
          + " without more load",
      "If output tokens per second fell: look at the hardware, and for other users of it."),
  API_SERVER(
      DirectionCode.API_SERVER, "api-server",
      List.of(Circumstance.OFFERED_RATE),
      "the API server is busy, or steps last long and new requests wait for the next one",
      "Compare the API server's CPU and tokenisation before and after.",
      "Look for steps that last long: a request is taken in between two of them."),
  OUTSIDE(
      DirectionCode.OUTSIDE_ENGINE, "outside-the-engine",
      List.of(),
      "delay outside the engine: client, network, gateway or the HTTP side of the API server",
      "Look at the gateway's own latency and at the client's lateness and CPU."),
  CONNECTING(
      DirectionCode.CONNECTING, "outside-the-engine",
      List.of(),
      "slow connections: opening or writing to them took longer, or more of them were opened",
      "Compare the share of requests on an existing connection.",
      "Look at the way to the server, its accept queue and TLS."),
  CLIENT_LATE(
      DirectionCode.CLIENT_LATE, "outside-the-engine",
      List.of(Circumstance.CLIENT_STOOD_STILL),
      "the load generator was late: it stood still, fell behind schedule, or its cap on requests in"
          + " flight held them back",
      "Look at the harness: its stalls, its CPU, and the cap on requests in flight.");

  final DirectionCode code;
  final String runbook;
  /** The circumstances that speak for or against it. */
  final List<Circumstance> told;

  /** The cause as a phrase that ends a sentence; no full stop. */
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
