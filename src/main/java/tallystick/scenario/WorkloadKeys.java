package tallystick.scenario;

import static tallystick.scenario.ValueType.ABOVE_0;
import static tallystick.scenario.ValueType.AT_LEAST_0;
import static tallystick.scenario.ValueType.FLAG;
import static tallystick.scenario.ValueType.MUST;
import static tallystick.scenario.ValueType.NOTHING;
import static tallystick.scenario.ValueType.SHARE;
import static tallystick.scenario.ValueType.TEXT;
import static tallystick.scenario.ValueType.TIME;
import static tallystick.scenario.ValueType.TIME_OR_ZERO;
import static tallystick.scenario.ValueType.choice;
import static tallystick.scenario.ValueType.either;
import static tallystick.scenario.ValueType.key;
import static tallystick.scenario.ValueType.listOf;
import static tallystick.scenario.ValueType.value;
import static tallystick.scenario.ValueType.whole;
import static tallystick.scenario.ValueType.words;

import java.util.List;
import tallystick.scenario.ValueType.Fields;
import tallystick.scenario.ValueType.Key;
import tallystick.scenario.ValueType.Keys;
import tallystick.scenario.ValueType.ListOf;
import tallystick.scenario.ValueType.Names;
import tallystick.scenario.ValueType.Number;
import tallystick.scenario.ValueType.Rule;
import tallystick.scenario.ValueType.Shared;

/** The keys of what is sent and when. */
final class WorkloadKeys {
  private static final String PARAMETERS = "its parameters";

  static final Shared TOKENS =
      new Shared("tokens", whole(1, Lengths.MOST), "%s: 256", "A number of tokens.");

  /** More a second are rarely meant, and more than a machine can send. */
  static final Shared RATE =
      new Shared(
          "rate", new Number(0, true, 1e6), "rate: 8 (requests per second)",
          "Requests per second.");

  private static final Key LEAST =
      key("min", TOKENS, "16", value("1"),
          "Shortest length in tokens; what falls below is drawn again.");
  private static final Key MOST =
      key("max", TOKENS, "1024", value(String.valueOf(Lengths.MOST)),
          "Longest length in tokens; what falls above is drawn again.");

  static final Keys NORMAL =
      Keys.of(
              key("mean", ABOVE_0, "256", MUST, "Mean in tokens, before the bounds."),
              key("deviation", ABOVE_0, "64", MUST, "Standard deviation in tokens."),
              LEAST,
              MOST)
          .shownWhole(PARAMETERS);
  static final Keys LOGNORMAL =
      Keys.of(
              key("median", ABOVE_0, "128", MUST, "Median in tokens, before the bounds."),
              key("sigma", ABOVE_0, "0.8", MUST,
                  "Standard deviation of the length's natural logarithm; no unit."),
              LEAST,
              MOST)
          .shownWhole(PARAMETERS);
  private static final Shared EMPIRICAL =
      new Shared(
          "empirical", either(listOf(TOKENS), new Names("\\d+", ABOVE_0)),
          "empirical: {64: 3, 512: 1} (tokens: weight) or [64, 64, 512]",
          "Lengths in tokens as a list, or each length with its weight.");
  static final Keys LENGTHS =
      Keys.of(
              key("fixed", TOKENS, "256", NOTHING, "Always the same number of tokens."),
              key("uniform", new ListOf(TOKENS, 2, 2), "[32, 128]", NOTHING,
                  "Shortest and longest length in tokens; each length between is equally likely."),
              key("normal", NORMAL, "{mean: 256, deviation: 64, min: 16, max: 1024}",
                  NOTHING,
                  "Normally distributed lengths, drawn again outside their bounds."),
              key("lognormal", LOGNORMAL, "{median: 128, sigma: 0.8, max: 4096}", NOTHING,
                  "Lognormally distributed lengths, drawn again outside their bounds."),
              key("empirical", EMPIRICAL, "{64: 3, 512: 1}", NOTHING,
                  "Lengths as you measured them: a list, or each length with its weight."))
          .ofWhichOne();
  static final Shared LENGTH =
      new Shared(
          "lengths", either(TOKENS, LENGTHS), "",
          "A length in tokens, or how lengths are drawn.");

  static final Keys RAMP =
      Keys.of(
              key("from", AT_LEAST_0, "1", MUST, "Requests per second at the start."),
              key("to", AT_LEAST_0, "20", MUST, "Requests per second at the end."))
          .shownWhole(PARAMETERS);
  static final Keys STEP =
      Keys.of(
          key("name", TEXT, "low", words("step-1, step-2, …"),
              "Name of the step's phase in the record."),
          key("rate", RATE, "8", MUST, "Requests per second during the step."),
          key("for", TIME, "30s", words("an equal part of the duration"),
              "How long the step lasts."));
  static final Keys SPIKE =
      Keys.of(
              key("base", RATE, "2", MUST, "Requests per second before and after the spike."),
              key("peak", RATE, "20", MUST, "Requests per second during the spike."),
              key("at", TIME, "20s", MUST, "When the spike begins."),
              key("for", TIME, "5s", MUST, "How long the spike lasts."))
          .shownWhole(PARAMETERS);
  static final Keys SINE =
      Keys.of(
              key("mean", RATE, "5", MUST, "Requests per second in the middle of the wave."),
              key("amplitude", AT_LEAST_0, "3", MUST,
                  "How far the rate goes above and below the mean; at most the mean."),
              key("period", TIME, "30s", MUST, "Length of one wave."))
          .shownWhole(PARAMETERS);
  static final Keys RATES =
      Keys.of(
              key("ramp", RAMP, "{from: 1, to: 20}", NOTHING,
                  "A rate that changes evenly over the whole duration. Each tenth of it is a phase"
                      + " of the record, ramp-1 to ramp-10."),
              key("steps", listOf(either(RATE, STEP)),
                  "[{rate: 2, for: 30s, name: low}, {rate: 8, for: 30s, name: high}]", NOTHING,
                  "Rates one after the other, each a phase of the record. A number alone lasts an"
                      + " equal part of the duration."),
              key("spike", SPIKE, "{base: 2, peak: 20, at: 20s, for: 5s}", NOTHING,
                  "A short peak. Its parts are the phases before, spike and after."),
              key("sine", SINE, "{mean: 5, amplitude: 3, period: 30s}", NOTHING,
                  "A rate that goes up and down in waves."))
          .ofWhichOne();

  private static final ValueType ARRIVAL =
      either(
          choice("arrival", "constant", "poisson", "closed", "trace"),
          Keys.of(
              key("gamma", new Number(0.01, true, 1e6), "0.5", MUST,
                  "Shape of the gamma distribution, vLLM's burstiness: 1 is Poisson, below 1"
                      + " burstier; no unit.")));

  static final Keys DATASET =
      Keys.of(
              key("format", choice("format", DatasetFormat.names()),
                  "jsonl", words("guessed from the file, and said"),
                  "Format of the file; traces/README.md describes each. columns takes any file"
                      + " whose columns are named here or have usual names."),
              key("file", TEXT, "prompts.jsonl", MUST,
                  "The file; its name begins at the scenario's folder."),
              key("time", TEXT, "at", words("the format's"),
                  "Column that says when a row starts."),
              key("unit", choice("unit", "s", "ms", "us", "ns", "iso"), "s",
                  words("the format's; else s for numbers and iso for dates"),
                  "Unit of the times: counted, or dates as 2023-11-16 18:15:46.68 (iso)."),
              key("prompt_tokens", TEXT, "prompt_tokens", words("the format's"),
                  "Column that holds the length of the prompt in tokens."),
              key("output_tokens", TEXT, "max_tokens", words("the format's"),
                  "Column that holds the length of the answer in tokens."),
              key("prompt", TEXT, "prompt", words("the format's"),
                  "Column that holds the prompt: a text, messages, or a dialogue with answers."),
              key("session", TEXT, "session_id",
                  words("the format's; else every row is a request of its own"),
                  "Column whose equal values make rows the turns of one conversation; each turn"
                      + " starts when the answer before it has ended."),
              key("pause", TEXT, "delay", words("the format's; else think_time"),
                  "Column that holds the pause before a turn, from the end of the answer before it,"
                      + " in the unit of the times."),
              key("skip_zero", FLAG, "true",
                  words("false; true for burstgpt, otel, weka and tracelab"),
                  "Whether rows with no tokens, 0 or less are left out, and counted, instead of"
                      + " refused."),
              key("order", choice("order", "file", "random"), "file", value("file"),
                  "Whether entries are taken in the file's order, or any entry each time."),
              key("limit", whole(1, Dataset.MOST_ENTRIES), "1000",
                  words("5000000; 10000 of sharegpt and wildchat"),
                  "Most entries that are read of the file."),
              key("block_tokens", whole(1, 65_536), "512",
                  words("512 for mooncake, 64 for weka, 16 for bailian and servegen"),
                  "Tokens of a block that a hash id of such a trace stands for."))
          .shaped("a format and a file");
  static final Keys SHARED_PREFIX =
      Keys.of(
              key("groups", whole(1, 1_000_000), "4", value("1"),
                  "Number of different prefixes, each equally frequent."),
              key("share", SHARE, "0.8", value("1"), "Share of the requests that begin with one."),
              key("tokens", whole(1, Lengths.MOST), "512", MUST, "Tokens of a prefix."))
          .shownWhole("groups, share and tokens");
  static final Keys THINK_TIME =
      Keys.of(
              key("uniform", new ListOf(TIME_OR_ZERO, 2, 2), "[1s, 3s]", NOTHING,
                  "Shortest and longest pause; each pause between is equally likely."),
              key("exponential", TIME, "2s", NOTHING, "Mean of exponentially distributed pauses."))
          .ofWhichOne();
  private static final ValueType PAUSE = either(TIME_OR_ZERO, THINK_TIME);

  static final Keys TOOLS =
      Keys.of(
              key("calls", LENGTH, "{uniform: [1, 4]}", MUST,
                  "Calls of such a turn, one after the other: a number, or how it is drawn."),
              key("share", SHARE, "0.8", value("1"), "Share of the turns that call tools."),
              key("time", PAUSE, "{exponential: 1s}", value("0s"),
                  "How long a tool runs: the pause between the answer that calls it and the request"
                      + " with its result."),
              key("result_tokens", LENGTH, "400", MUST,
                  "Tokens that a tool's result adds to the history."),
              key("call_tokens", LENGTH, "40", words("output_tokens"),
                  "Tokens of an answer that calls a tool; the turn's last one has output_tokens."))
          .shownWhole("calls and result_tokens");
  static final Keys AGENTS =
      Keys.of(
              key("count", LENGTH, "{uniform: [2, 4]}", MUST,
                  "Sub-agents that such a turn calls, all at the same time: a number, or how it is"
                      + " drawn."),
              key("share", SHARE, "0.5", value("1"), "Share of the turns that call sub-agents."),
              key("turns", LENGTH, "3", value("1"),
                  "Requests of a sub-agent, one after the other, with a history of its own."),
              key("prompt_tokens", LENGTH, "600", MUST,
                  "Tokens that each request of a sub-agent adds to its history."),
              key("output_tokens", LENGTH, "80", words("output_tokens of the workload"),
                  "Tokens of a sub-agent's answer."),
              key("time", PAUSE, "{exponential: 1s}", value("0s"),
                  "How long a sub-agent's tool runs: the pause between an answer and its next"
                      + " request."),
              key("result_tokens", LENGTH, "300", MUST,
                  "Tokens that what they bring back adds to the caller's history, all together."),
              key("call_tokens", LENGTH, "60", words("output_tokens of the workload"),
                  "Tokens of the answer that calls them; the turn's last one has output_tokens."))
          .shownWhole("count, prompt_tokens and result_tokens");
  static final Keys CONVERSATION =
      Keys.of(
              key("turns", LENGTH, "4",
                  words("all turns of a data set's entry; must be there otherwise"),
                  "Requests of a conversation, one after the other: a number, or how it is drawn."),
              key("think_time", PAUSE, "2s", value("0s"),
                  "Pause between an answer's end and the next turn."),
              key("tools", TOOLS, "{calls: 3, time: 1s, result_tokens: 400}", words("none"),
                  "Tools that a turn calls: each call is an answer, and its result a request more,"
                      + " sent as a user's message."),
              key("agents", AGENTS, "{count: 3, prompt_tokens: 600, result_tokens: 300}",
                  words("none"),
                  "Sub-agents that a turn calls, which send at the same time; when all have ended"
                      + " the turn goes on with what they bring."),
              key("by_response_id", FLAG, "true", value("false"),
                  "Whether a request brings what is new alone and names the answer before it"
                      + " (previous_response_id), which the server has to keep. With endpoint:"
                      + " responses."))
          .shownWhole("turns and think_time");
  static final Keys CANCEL =
      Keys.of(
              key("share", SHARE, "0.1", MUST, "Share of the requests whose client leaves."),
              key("after", TIME, "2s", words("no limit of time"),
                  "Time from the request's start until it leaves."),
              key("after_tokens", whole(1, Lengths.MOST), "20", words("no limit of tokens"),
                  "Tokens it receives until it leaves."))
          .shownWhole("share and after or after_tokens")
          .with(Rule.atLeastOneOf(List.of("after", "after_tokens")));

  /** What can be said of a class, in the workload for all or in the class itself. */
  static final Keys OF_CLASS =
      Keys.of(
          key("prompt_tokens", LENGTH, "256",
              words("must be there without token_pairs and dataset"),
              "Tokens of a prompt: a number, or how it is drawn. In a conversation each turn adds"
                  + " so many to the history."),
          key("output_tokens", LENGTH, "64", words("must be there without token_pairs and dataset"),
              "Tokens of an answer: a number, or how it is drawn. Beside a dataset it replaces the"
                  + " file's lengths."),
          key("token_pairs",
              new Shared(
                  "token_pairs", listOf(new ListOf(ABOVE_0, 2, 3)),
                  "token_pairs: [[512, 32], [64, 200, 3]] (prompt, output, weight)",
                  "Prompt tokens and output tokens of each pair, and perhaps its weight."),
              "[[512, 32], [64, 200, 3]]", NOTHING,
              "Tokens of prompt and answer drawn together, and perhaps the pair's weight. In place"
                  + " of prompt_tokens and output_tokens."),
          key("dataset", DATASET,
              "{format: mooncake, file: traces/mooncake-sample.jsonl}", NOTHING,
              "Prompts, lengths or times from a file. In place of prompt_tokens."),
          key("shared_prefix", SHARED_PREFIX, "{groups: 4, share: 0.8, tokens: 512}",
              words("none"),
              "Tokens that prompts have in common, before their own; all else is unique."),
          key("conversation", CONVERSATION, "{turns: 4, think_time: 2s}",
              words("single requests"),
              "Requests of one user that follow each other, each with the whole history."),
          key("cancel", CANCEL, "{share: 0.1, after: 2s}", words("all stay"),
              "Clients that leave before their answer ends, at the earlier of after and"
                  + " after_tokens."),
          key("n", whole(1, 128), "2", value("1"), "Choices of each request, the API's n."),
          key("model", TEXT, "tiny", words("the scenario's"),
              "Model name, for this workload or class."),
          key("extra_body", new Fields(), "{temperature: 0.7}", words("none"),
              "Fields added to each body, for this workload or class, besides those of request."));

  static final Keys CLASS =
      OF_CLASS.and(
          key("name", TEXT, "chat", MUST, "Name of the class in report and objectives."),
          key("weight", ABOVE_0, "1", value("1"),
              "How often the class is drawn, relative to the other classes' weights."),
          key("objectives", listOf(ObjectiveKeys.CLASS_OBJECTIVE), ObjectiveKeys.EXAMPLE,
              words("none"),
              "What the class's requests are judged by."));

  static final Keys WORKLOAD =
      Keys.of(
              key("arrival", ARRIVAL, "poisson",
                  words("poisson with a rate, closed with concurrency only"),
                  "How requests come: constant, poisson, closed (a number of users, each waits for"
                      + " its answer), trace (the times of a dataset), or {gamma: 0.5}."),
              key("rate",
                  new Shared(
                      "rates", either(RATE, RATES), "",
                      "A rate, or how it goes over the run."),
                  "8", words("must be there unless closed or trace"),
                  "Arrivals per second: a number, or how it goes over the run."),
              key("speed", ABOVE_0, "2", value("1"),
                  "How many times faster than written a trace is played; also --speed."),
              key("max_starts_per_second", whole(1, 1_000_000), "5000", value("1000"),
                  "With arrival: trace: a denser trace is an error, because its times are then"
                      + " mostly in another unit."),
              key("concurrency", whole(1, 100_000), "16", words("no limit"),
                  "Users of a closed loop; with a rate or a trace the most requests in flight, and"
                      + " the wait counts as latency."),
              key("classes",
                  listOf(new Shared("class", CLASS, "", "One kind of request.")),
                  "[{name: chat, weight: 3, prompt_tokens: 256}]", words("one class"),
                  "A mix of several kinds of requests. A class takes from the workload what it"
                      + " does not say."))
          .and(OF_CLASS.keys().toArray(Key[]::new));

  private WorkloadKeys() {}
}
