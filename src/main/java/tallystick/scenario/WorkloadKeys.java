package tallystick.scenario;

import static tallystick.scenario.ScenarioKey.key;
import static tallystick.scenario.ScenarioKey.required;
import static tallystick.scenario.ValueType.either;
import static tallystick.scenario.ValueType.listOf;

import java.util.List;
import java.util.stream.Stream;
import tallystick.scenario.KeySection.Rule;
import tallystick.scenario.ValueType.Fields;
import tallystick.scenario.ValueType.Keys;
import tallystick.scenario.ValueType.ListOf;
import tallystick.scenario.ValueType.Names;
import tallystick.scenario.ValueType.Number;
import tallystick.scenario.ValueType.Shared;
import tallystick.scenario.ValueType.Whole;

/** The keys of what is sent and when. */
final class WorkloadKeys {
  private static final String PARAMETERS = "its parameters";

  static final Shared TOKENS =
      new Shared("tokens", new Whole(1, Lengths.MOST), "%s: 256", "A number of tokens.");

  /** More a second are rarely meant, and more than a machine can send. */
  static final Shared RATE =
      new Shared(
          "rate", new Number(0, true, 1e6), "rate: 8 (requests per second)",
          "Requests per second.");

  private static final ScenarioKey LEAST =
      key("min", TOKENS, "16", "Shortest length in tokens; what falls below is drawn again.")
          .orElse("1");
  private static final ScenarioKey MOST =
      key("max", TOKENS, "1024", "Longest length in tokens; what falls above is drawn again.")
          .orElse(String.valueOf(Lengths.MOST));

  static final KeySection NORMAL =
      KeySection.of(
              required("mean", ValueType.ABOVE_0, "256", "Mean in tokens, before the bounds."),
              required("deviation", ValueType.ABOVE_0, "64", "Standard deviation in tokens."),
              LEAST,
              MOST)
          .shownWhole(PARAMETERS);
  static final KeySection LOGNORMAL =
      KeySection.of(
              required("median", ValueType.ABOVE_0, "128", "Median in tokens, before the bounds."),
              required(
                  "sigma", ValueType.ABOVE_0, "0.8",
                  "Standard deviation of the length's natural logarithm; no unit."),
              LEAST,
              MOST)
          .shownWhole(PARAMETERS);
  private static final Shared EMPIRICAL =
      new Shared(
          "empirical", either(listOf(TOKENS), new Names("\\d+", ValueType.ABOVE_0)),
          "empirical: {64: 3, 512: 1} (tokens: weight) or [64, 64, 512]",
          "Lengths in tokens as a list, or each length with its weight.");
  static final KeySection LENGTHS =
      KeySection.of(
              key("fixed", TOKENS, "256", "Always the same number of tokens."),
              key(
                  "uniform", new ListOf(TOKENS, 2, 2), "[32, 128]",
                  "Shortest and longest length in tokens; each length between is equally likely."),
              key(
                  "normal", new Keys(NORMAL),
                  "{mean: 256, deviation: 64, min: 16, max: 1024}",
                  "Normally distributed lengths, drawn again outside their bounds."),
              key(
                  "lognormal", new Keys(LOGNORMAL), "{median: 128, sigma: 0.8, max: 4096}",
                  "Lognormally distributed lengths, drawn again outside their bounds."),
              key(
                  "empirical", EMPIRICAL, "{64: 3, 512: 1}",
                  "Lengths as you measured them: a list, or each length with its weight."))
          .ofWhichOne();
  static final Shared LENGTH =
      new Shared(
          "lengths", either(TOKENS, new Keys(LENGTHS)), "",
          "A length in tokens, or how lengths are drawn.");

  static final KeySection RAMP =
      KeySection.of(
              required("from", ValueType.AT_LEAST_0, "1", "Requests per second at the start."),
              required("to", ValueType.AT_LEAST_0, "20", "Requests per second at the end."))
          .shownWhole(PARAMETERS);
  static final KeySection STEP =
      KeySection.of(
          key("name", ValueType.TEXT, "low", "Name of the step's phase in the record.")
              .otherwise("step-1, step-2, …"),
          required("rate", RATE, "8", "Requests per second during the step."),
          key("for", ValueType.TIME, "30s", "How long the step lasts.")
              .otherwise("an equal part of the duration"));
  static final KeySection SPIKE =
      KeySection.of(
              required("base", RATE, "2", "Requests per second before and after the spike."),
              required("peak", RATE, "20", "Requests per second during the spike."),
              required("at", ValueType.TIME, "20s", "When the spike begins."),
              required("for", ValueType.TIME, "5s", "How long the spike lasts."))
          .shownWhole(PARAMETERS);
  static final KeySection SINE =
      KeySection.of(
              required("mean", RATE, "5", "Requests per second in the middle of the wave."),
              required(
                  "amplitude", ValueType.AT_LEAST_0, "3",
                  "How far the rate goes above and below the mean; at most the mean."),
              required("period", ValueType.TIME, "30s", "Length of one wave."))
          .shownWhole(PARAMETERS);
  static final KeySection RATES =
      KeySection.of(
              key(
                  "ramp", new Keys(RAMP), "{from: 1, to: 20}",
                  "A rate that changes evenly over the whole duration."),
              key(
                  "steps", listOf(either(RATE, new Keys(STEP))),
                  "[{rate: 2, for: 30s, name: low}, {rate: 8, for: 30s, name: high}]",
                  "Rates one after the other, each a phase of the record. A number alone lasts an"
                      + " equal part of the duration."),
              key(
                  "spike", new Keys(SPIKE), "{base: 2, peak: 20, at: 20s, for: 5s}",
                  "A short peak. Its parts are the phases before, spike and after."),
              key(
                  "sine", new Keys(SINE), "{mean: 5, amplitude: 3, period: 30s}",
                  "A rate that goes up and down in waves."))
          .ofWhichOne();

  private static final ValueType ARRIVAL =
      either(
          ValueType.choice("arrival", "constant", "poisson", "closed", "trace"),
          new Keys(
              KeySection.of(
                  required(
                      "gamma", new Number(0.01, true, 1e6), "0.5",
                      "Shape of the gamma distribution, vLLM's burstiness: 1 is Poisson, below 1"
                          + " burstier; no unit."))));

  static final KeySection DATASET =
      KeySection.of(
              required(
                  "format",
                  ValueType.choice("format", "sharegpt", "mooncake", "bailian", "azure", "jsonl"),
                  "jsonl", "Format of the file; traces/README.md describes each."),
              required(
                  "file", ValueType.TEXT, "prompts.jsonl",
                  "The file; its name begins at the scenario's folder."),
              key(
                      "order", ValueType.choice("order", "file", "random"), "file",
                      "Whether entries are taken in the file's order, or any entry each time.")
                  .orElse("file"),
              key(
                      "limit", new Whole(1, DatasetReader.MOST_ENTRIES), "1000",
                      "Most entries that are read of the file.")
                  .otherwise("5000000; 10000 conversations of a ShareGPT file"),
              key(
                      "block_tokens", new Whole(1, 65_536), "512",
                      "Tokens of a block that a hash id of a mooncake or bailian trace stands for.")
                  .otherwise("512 for mooncake, 16 for bailian"))
          .shaped("a format and a file");
  static final KeySection SHARED_PREFIX =
      KeySection.of(
              key(
                      "groups", new Whole(1, 1_000_000), "4",
                      "Number of different prefixes, each equally frequent.")
                  .orElse("1"),
              key("share", ValueType.SHARE, "0.8", "Share of the requests that begin with one.")
                  .orElse("1"),
              required("tokens", new Whole(1, Lengths.MOST), "512", "Tokens of a prefix."))
          .shownWhole("groups, share and tokens");
  static final KeySection THINK_TIME =
      KeySection.of(
              key(
                  "uniform", new ListOf(ValueType.TIME_OR_ZERO, 2, 2), "[1s, 3s]",
                  "Shortest and longest pause; each pause between is equally likely."),
              key("exponential", ValueType.TIME, "2s", "Mean of exponentially distributed pauses."))
          .ofWhichOne();
  static final KeySection CONVERSATION =
      KeySection.of(
              key(
                      "turns", LENGTH, "4",
                      "Requests of a conversation, one after the other: a number, or how it is"
                          + " drawn.")
                  .otherwise("all turns of a data set's entry; must be there otherwise"),
              key(
                      "think_time",
                      either(ValueType.TIME_OR_ZERO, new Keys(THINK_TIME)), "2s",
                      "Pause between an answer's end and the next turn.")
                  .orElse("0s"))
          .shownWhole("turns and think_time");
  static final KeySection CANCEL =
      KeySection.of(
              required(
                  "share", ValueType.SHARE, "0.1", "Share of the requests whose client leaves."),
              key("after", ValueType.TIME, "2s", "Time from the request's start until it leaves.")
                  .otherwise("no limit of time"),
              key(
                      "after_tokens", new Whole(1, Lengths.MOST), "20",
                      "Tokens it receives until it leaves.")
                  .otherwise("no limit of tokens"))
          .shownWhole("share and after or after_tokens")
          .with(Rule.atLeastOneOf(List.of("after", "after_tokens")));

  /** What can be said of a class, in the workload for all or in the class itself. */
  static final KeySection OF_CLASS =
      KeySection.of(
          key(
                  "prompt_tokens", LENGTH, "256",
                  "Tokens of a prompt: a number, or how it is drawn. In a conversation each turn"
                      + " adds so many to the history.")
              .otherwise("must be there without token_pairs and dataset"),
          key(
                  "output_tokens", LENGTH, "64",
                  "Tokens of an answer: a number, or how it is drawn. Beside a dataset it replaces"
                      + " the file's lengths.")
              .otherwise("must be there without token_pairs and dataset"),
          key(
              "token_pairs",
              new Shared(
                  "token_pairs",
                  listOf(new ListOf(ValueType.ABOVE_0, 2, 3)),
                  "token_pairs: [[512, 32], [64, 200, 3]] (prompt, output, weight)",
                  "Prompt tokens and output tokens of each pair, and perhaps its weight."),
              "[[512, 32], [64, 200, 3]]",
              "Tokens of prompt and answer drawn together, and perhaps the pair's weight. In place"
                  + " of prompt_tokens and output_tokens."),
          key(
              "dataset", new Keys(DATASET),
              "{format: mooncake, file: traces/mooncake-sample.jsonl}",
              "Prompts, lengths or times from a file. In place of prompt_tokens."),
          key(
                  "shared_prefix", new Keys(SHARED_PREFIX), "{groups: 4, share: 0.8, tokens: 512}",
                  "Tokens that prompts have in common, before their own; all else is unique.")
              .otherwise("none"),
          key(
                  "conversation", new Keys(CONVERSATION), "{turns: 4, think_time: 2s}",
                  "Requests of one user that follow each other, each with the whole history.")
              .otherwise("single requests"),
          key(
                  "cancel", new Keys(CANCEL), "{share: 0.1, after: 2s}",
                  "Clients that leave before their answer ends, at the earlier of after and"
                      + " after_tokens.")
              .otherwise("all stay"),
          key("n", new Whole(1, 128), "2", "Choices of each request, the API's n.").orElse("1"),
          key("model", ValueType.TEXT, "tiny", "Model name, for this workload or class.")
              .otherwise("the scenario's"),
          key(
                  "extra_body", new Fields(), "{temperature: 0.7}",
                  "Fields added to each body, for this workload or class, besides those of"
                      + " request.")
              .otherwise("none"));

  static final KeySection CLASS =
      OF_CLASS.and(
          required("name", ValueType.TEXT, "chat", "Name of the class in report and objectives."),
          key(
                  "weight", ValueType.ABOVE_0, "1",
                  "How often the class is drawn, relative to the other classes' weights.")
              .orElse("1"),
          key(
                  "objectives", listOf(ObjectiveKeys.CLASS_OBJECTIVE),
                  ObjectiveKeys.EXAMPLE, "What the class's requests are judged by.")
              .otherwise("none"));

  static final KeySection WORKLOAD =
      new KeySection(
          "", false,
          Stream.concat(Stream.of(
              key(
                      "arrival", ARRIVAL, "poisson",
                      "How requests come: constant, poisson, closed (a number of users, each waits"
                          + " for its answer), trace (the times of a dataset), or {gamma: 0.5}.")
                  .otherwise("poisson with a rate, closed with concurrency only"),
              key(
                      "rate",
                      new Shared(
                          "rates", either(RATE, new Keys(RATES)), "",
                          "A rate, or how it goes over the run."),
                      "8", "Arrivals per second: a number, or how it goes over the run.")
                  .otherwise("must be there unless closed or trace"),
              key(
                      "speed", ValueType.ABOVE_0, "2",
                      "How many times faster than written a trace is played; also --speed.")
                  .orElse("1"),
              key(
                      "max_starts_per_second", new Whole(1, 1_000_000), "5000",
                      "With arrival: trace: a denser trace is an error, because its times are then"
                          + " mostly in another unit.")
                  .orElse("1000"),
              key(
                      "concurrency", new Whole(1, 100_000), "16",
                      "Users of a closed loop; with a rate or a trace the most requests in flight,"
                          + " and the wait counts as latency.")
                  .otherwise("no limit"),
              key(
                      "classes",
                      listOf(
                          new Shared("class", new Keys(CLASS), "", "One kind of request.")),
                      "[{name: chat, weight: 3, prompt_tokens: 256}]",
                      "A mix of several kinds of requests. A class takes from the workload what it"
                          + " does not say.")
                  .otherwise("one class")),
              OF_CLASS.keys().stream()).toList(),
          List.of());

  private WorkloadKeys() {}
}
