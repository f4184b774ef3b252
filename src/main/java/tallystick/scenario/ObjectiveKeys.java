package tallystick.scenario;

import static tallystick.scenario.ValueType.INNER_SHARE;
import static tallystick.scenario.ValueType.MUST;
import static tallystick.scenario.ValueType.NOTHING;
import static tallystick.scenario.ValueType.SHARE;
import static tallystick.scenario.ValueType.TEXT;
import static tallystick.scenario.ValueType.TIME;
import static tallystick.scenario.ValueType.key;
import static tallystick.scenario.ValueType.whole;
import static tallystick.scenario.ValueType.words;

import tallystick.scenario.ValueType.Key;
import tallystick.scenario.ValueType.Keys;
import tallystick.scenario.ValueType.ListOf;
import tallystick.scenario.ValueType.Rule;
import tallystick.scenario.ValueType.Shared;

/** The keys of what a run is judged by. */
final class ObjectiveKeys {
  static final String EXAMPLE = "[{ttft: 500ms, share: 0.99}]";

  /** What can be asked of one request, or of one session. */
  static final Keys LIMITS =
      Keys.of(
          key("ttft", TIME, "500ms", NOTHING, "The most that may pass to the first token."),
          key("answer_ttft", TIME, "5s", NOTHING,
              "The most that may pass to the first token of the answer itself, behind all"
                  + " thinking."),
          key("thinking_tokens", whole(1, Lengths.MOST), "500", NOTHING,
              "The most output tokens that the request may think before its answer."),
          key("tpot", TIME, "500ms", NOTHING,
              "The most that may pass for each output token after the first, on average over the"
                  + " request."),
          key("largest_gap", TIME, "500ms", NOTHING,
              "The most that the longest pause between two tokens of the request may last."),
          key("e2e", TIME, "500ms", NOTHING, "The most that the whole request may last."),
          key("session_time", TIME, "60s", NOTHING,
              "The most that a whole conversation may last, from its first start to the end of its"
                  + " last answer; judges sessions, not requests."),
          key("session_time_without_tools", TIME, "30s", NOTHING,
              "The same less the time in which tools ran."));

  /** What an objective can judge. */
  static final Keys METRICS =
      LIMITS.and(
          key("itl", TIME, "500ms", NOTHING,
              "The most that a gap between two tokens may last; judges gaps, not requests."),
          key("all",
              new ListOf(
                  new Shared(
                      "limit", LIMITS.ofWhichOne(), "",
                      "One of several limits of a request or a session."),
                  2, Integer.MAX_VALUE),
              "[{ttft: 1s}, {tpot: 50ms}]", NOTHING,
              "Limits that a request must keep all together; with a limit on sessions, that a"
                  + " session and each of its requests must keep."));

  private static final Key SHARE =
      key("share", INNER_SHARE, "0.99", MUST,
          "Share of the requests, gaps or sessions that must keep it: above 0, below 1.");
  private static final Rule ONE_METRIC = Rule.exactlyOneOf(METRICS.names());
  static final Shared OBJECTIVE =
      new Shared(
          "objective",
          METRICS.and(
              SHARE,
              key("class", TEXT, "chat", words("all classes"),
                  "The class of the workload it judges.")).with(ONE_METRIC),
          "", "A limit, and the share of the requests that must keep it.");
  static final Shared CLASS_OBJECTIVE =
      new Shared(
          "class_objective", METRICS.and(SHARE).with(ONE_METRIC), "",
          "A limit, and the share of the class's requests that must keep it.");

  private ObjectiveKeys() {}
}
