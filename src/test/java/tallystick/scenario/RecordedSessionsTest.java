package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.scenario.Dataset.Block;
import tallystick.scenario.Dataset.Entry;
import tallystick.scenario.Dataset.Link;
import tallystick.scenario.Dataset.Tokens;

/** Recorded sessions of agents, made up in the formats of others: who waits for whom. */
class RecordedSessionsTest {
  /** Of CPU time: a pass takes one; where each call looked at all others it was a minute. */
  private static final double MOST_SECONDS = 10;

  @TempDir private Path folder;
  private final List<String> notes = new ArrayList<>();

  @Test
  void callsOfOneAgentAndOfThoseThatItCallsAreASession() throws IOException {
    Dataset dataset =
        guessed(
            spans(
                    span("a", "", 0, 90, "invoke_agent", -1, -1),
                    span("b", "a", 1, 3, "chat", 100, 20))
                + spans(
                    span("t", "a", 3, 5, "execute_tool", -1, -1),
                    span("s", "t", 3, 5, "invoke_agent", -1, -1),
                    span("c", "s", 4, 5, "chat", 50, 5),
                    span("d", "a", 6, 8, "chat", 170, 30),
                    span("f", "a", 8, 9, "chat", -1, -1)));

    assertThat(dataset.format()).isEqualTo("otel");
    Entry session = dataset.entries().getFirst();
    assertThat(dataset.entries()).hasSize(1);
    assertThat(session.turns())
        .containsExactly(
            new Tokens(100, List.of(), 20), new Tokens(50, List.of(), 5, 1_000_000_000L),
            new Tokens(50, List.of(), 30, 1_000_000_000L));
    assertThat(session.links())
        .containsExactly(
            Link.PREVIOUS, new Link(1, List.of(0)), new Link(0, List.of(0, 1)));
    assertThat(dataset.leftOut()).containsEntry("without output tokens", 1);
    assertThat(notes).anyMatch(
        note -> note.endsWith("1 of 1 sessions have sub-agents or calls at the same time"));
  }

  /** Two sub-agents at once, one of which calls twice; the last call is of neither's waiting. */
  @Test
  void subAgentsRunAtTheSameTimeAndAreWaitedFor() throws IOException {
    List<Link> links =
        guessed(
            spans(
                span("a", "", 0, 90, "invoke_agent", -1, -1),
                span("m1", "a", 0, 2, "chat", 100, 20),
                span("x", "a", 2, 9, "invoke_agent", -1, -1),
                span("y", "a", 2, 30, "invoke_agent", -1, -1),
                span("x1", "x", 2, 5, "chat", 50, 5),
                span("y1", "y", 3, 6, "chat", 50, 5),
                span("x2", "x", 6, 8, "chat", 50, 5),
                span("m2", "a", 9, 12, "chat", 150, 5),
                span("y2", "y", 13, 20, "chat", 50, 5),
                span("m3", "a", 20, 22, "chat", 180, 5)))
            .entries().getFirst().links();

    assertThat(links)
        .containsExactly(
            Link.PREVIOUS,
            new Link(1, List.of(0)), new Link(2, List.of(0)), new Link(1, List.of(1)),
            // The second of y's calls is still to come.
            new Link(0, List.of(0, 3)), new Link(2, List.of(2)), new Link(0, List.of(4, 5)));
  }

  @Test
  void callsOfOneAgentAtTheSameTimeAreBesideEachOther() throws IOException {
    Entry session =
        guessed(
            spans(
                span("m1", "", 0, 4, "chat", 100, 20),
                span("m2", "", 1, 6, "chat", 90, 20),
                span("m3", "", 8, 9, "chat", 150, 20)))
            .entries().getFirst();

    assertThat(session.links())
        .containsExactly(
            Link.PREVIOUS, new Link(1, List.of()), new Link(1, List.of(0, 1)));
    assertThat(session.turns()).extracting(Dataset.Turn::pauseNanos)
        .containsExactly(Dataset.NO_PAUSE, 1_000_000_000L, 2_000_000_000L);
  }

  @Test
  void anAnswerThatCallsAToolIsFollowedByItsResult() throws IOException {
    String calling =
        span("m1", "", 0, 4, "chat", 100, 20).replaceFirst(
            "\\]}$",
            ",{\"key\":\"gen_ai.response.finish_reasons\",\"value\":{\"arrayValue\":"
                + "{\"values\":[{\"stringValue\":\"tool_calls\"}]}}}]}");
    assertThat(
            guessed(spans(calling, span("m2", "", 5, 6, "chat", 150, 20)))
                .entries().getFirst().links())
        .containsExactly(Link.PREVIOUS, new Link(0, List.of(0), true, false));
  }

  /** The third prompt holds less than was said, the fourth is shorter than the one before. */
  @Test
  void aShorterPromptHasForgottenWhatWasBefore() throws IOException {
    Entry session =
        guessed(
            spans(
                span("m1", "", 0, 1, "chat", 100, 20),
                span("m2", "", 2, 3, "chat", 150, 60),
                span("m3", "", 4, 5, "chat", 200, 10),
                span("m4", "", 6, 7, "chat", 80, 10),
                span("m5", "", 8, 9, "chat", 130, 10)))
            .entries().getFirst();

    assertThat(session.turns()).extracting(turn -> ((Tokens) turn).promptTokens())
        .containsExactly(100, 30, 1, 80, 40);
    assertThat(session.links()).extracting(Link::forgets)
        .containsExactly(false, false, false, true, false);
  }

  @Test
  void parentsInACircleOrOutsideTheFileAreMistakes() {
    assertThatThrownBy(
            () -> guessed(
                spans(
                    span("a", "b", 0, 90, "invoke_agent", -1, -1),
                    span("b", "a", 0, 90, "invoke_agent", -1, -1),
                    span("c", "a", 1, 3, "chat", 100, 20))))
        .hasMessageContaining("span c is its own ancestor; fix parentSpanId");
    assertThatThrownBy(() -> guessed(spans(span("c", "z", 1, 3, "chat", 100, 20))))
        .hasMessageContaining("span c has a parent that is not in the file: z; write whole");
  }

  @Test
  void aParentInAnotherProcessIsNoMistake() throws IOException {
    String span = span("c", "z", 1, 3, "chat", 100, 20);
    assertThat(
            guessed(spans(span.replaceFirst("\\{", "{\"flags\":768,"))).entries())
        .hasSize(1);
  }

  /** Hash ids are of their session; a sub-agent's times count from its begin here. */
  @Test
  void aSessionOfWekaHasItsSubAgentsInIt() throws IOException {
    String session =
        "{\"id\":\"s%d\",\"models\":[\"m\"],\"block_size\":64,\"hash_id_scope\":\"local\","
            + "\"requests\":["
            + "{\"t\":0.0,\"type\":\"n\",\"model\":\"m\",\"in\":130,\"out\":20,"
            + "\"hash_ids\":[1,2,3],\"api_time\":2.0,\"stop\":\"tool_use\"},"
            + "{\"t\":2.5,\"type\":\"subagent\",\"agent_id\":\"x\",\"requests\":["
            + "{\"t\":0.5,\"type\":\"s\",\"model\":\"m\",\"in\":128,\"out\":7,"
            + "\"hash_ids\":[1,2],\"api_time\":1.0}]},"
            + "{\"t\":9.0,\"type\":\"n\",\"model\":\"m\",\"in\":200,\"out\":30,"
            + "\"hash_ids\":[1,2,3,4],\"api_time\":null}]}\n";
    Dataset dataset = guessed(session.formatted(1) + session.formatted(2));

    assertThat(dataset.format()).isEqualTo("weka");
    assertThat(dataset.entries()).extracting(Entry::session).containsExactly("1 s1", "2 s2");
    Entry first = dataset.entries().getFirst();
    assertThat(first.links())
        .containsExactly(
            Link.PREVIOUS, new Link(1, List.of(0)), new Link(0, List.of(0, 1), true, false));
    assertThat(first.turns()).extracting(Dataset.Turn::pauseNanos)
        .containsExactly(Dataset.NO_PAUSE, 1_000_000_000L, 5_000_000_000L);
    // What only one session has is left out; ids 1 and 2 are shared within it.
    assertThat(first.turns().getFirst()).isEqualTo(
        new Tokens(130, List.of(new Block((1L << 32) + 1, 64), new Block((1L << 32) + 2, 64)), 20));
    assertThat(((Tokens) first.turns().get(1)).blocks()).hasSize(2);
    assertThat(first.turns().get(2)).isEqualTo(new Tokens(50, List.of(), 30, 5_000_000_000L));
    assertThat(((Tokens) dataset.entries().getLast().turns().get(1)).blocks())
        .extracting(Block::id).containsExactly((2L << 32) + 1, (2L << 32) + 2);
  }

  @Test
  void sessionsOfWekaWithOneIdOrNoneStayApart() throws IOException {
    String session =
        "{\"id\":%s,\"block_size\":64,\"requests\":["
            + "{\"t\":0,\"in\":5,\"out\":2},{\"t\":3,\"in\":9,\"out\":2}]}\n";
    assertThat(
            guessed(
                    session.formatted("\"a\"") + session.formatted("\"a\"")
                        + session.formatted("null") + session.formatted("\"\""))
                .entries())
        .hasSize(4)
        .allMatch(entry -> entry.turns().size() == 2);
  }

  @Test
  void aCallThatTellsNoTokensIsNoRequestThoughTheWorkloadDrawsThem() throws IOException {
    Dataset dataset =
        read(
            spans(
                span("a", "", 0, 90, "invoke_agent", -1, -1),
                span("b", "a", 1, 3, "chat", 100, 20), span("f", "a", 3, 4, "chat", 50, 0),
                span("d", "a", 6, 8, "chat", 170, 30)),
            "output_tokens: 9, ");
    assertThat(dataset.entries().getFirst().turns()).hasSize(2);
    assertThat(dataset.leftOut()).containsEntry("without output tokens", 1);
  }

  /** A collector that sends once more after a lost answer writes spans twice. */
  @Test
  void aCallWhoseSpanIsToldAgainIsLeftOutAndCounted() throws IOException {
    String agent = span("a", "", 0, 90, "invoke_agent", -1, -1);
    String call = span("b", "a", 1, 3, "chat", 100, 20);

    Dataset dataset = guessed(spans(agent, call) + spans(agent, call));

    assertThat(dataset.entries().getFirst().turns()).hasSize(1);
    assertThat(dataset.leftOut()).containsExactly(Map.entry("whose span is told again", 1));
    assertThat(notes).anyMatch(
        note -> note.endsWith("1 of 2 rows are left out: 1 whose span is told again"));
  }

  @Test
  void aSpanThatNobodyEndedAndARoundWithoutTimesMakeNoPauseOfYears() throws IOException {
    String unended =
        spans(
            span("a", "", 0, 90, "invoke_agent", -1, -1),
            span("b", "a", 1, 3, "chat", 100, 20).replaceFirst("\"endTimeUnixNano\":\"\\d+\",", ""),
            span("d", "a", 6, 8, "chat", 170, 30));
    assertThat(guessed(unended).entries().getFirst().turns().getLast().pauseNanos())
        .isEqualTo(5_000_000_000L);
    assertThatThrownBy(
            () -> guessed(unended.replaceFirst("\"startTimeUnixNano\":\"1700000001", "\"x\":\"1")))
        .hasMessageContaining(
            ":1: span b: \"startTimeUnixNano\" must be nanoseconds since 1970, is missing; fix");
    String rounds =
        "{\"session_id\":\"s\",\"input_tokens_total\":9,\"output_tokens\":2,"
            + "\"timing_events\":[]}\n"
            + "{\"session_id\":\"s\",\"input_tokens_total\":19,\"output_tokens\":2,"
            + "\"timing_events\":[{\"event_type\":\"user_message\","
            + "\"timestamp\":\"2026-06-08T09:00:07Z\"}]}\n";
    assertThat(guessed(rounds).entries().getFirst().turns().getLast().pauseNanos()).isZero();
  }

  @Test
  void mistakesInASessionOfWekaAreNamed() {
    String session =
        "{\"id\":\"s\",\"block_size\":16,\"requests\":[{\"t\":0,\"in\":5,\"out\":2}]}\n";
    assertThatThrownBy(() -> guessed(session))
        .hasMessageContaining(
            "\"block_size\" is 16, but the hash_ids are read as blocks of 64 tokens; write"
                + " dataset.block_tokens: 16");
    assertThatThrownBy(
            () -> guessed(session.replace("16", "64").replace("\"t\":0", "\"t\":null")))
        .hasMessageContaining("requests 0: \"t\" must be a number of seconds");
  }

  /** Each was taken for nothing, and its call left out, or refused by a name of ours. */
  @Test
  void whatCannotBeReadInASessionIsRefusedByItsNameAndPlace() {
    String good =
        "{\"id\":\"s\",\"block_size\":64,\"requests\":[{\"t\":0,\"in\":5,\"out\":2},"
            + "{\"t\":1,\"type\":\"subagent\",\"requests\":[{\"t\":1,\"in\":70,\"out\":2,"
            + "\"hash_ids\":[1,2],\"api_time\":1.5}]}]}\n";
    assertRefused(
        good.replace("64", "\"big\""), "\"block_size\" must be a whole number of tokens from 1 on,"
            + " was \"big\"; fix or remove the session");
    assertRefused(
        good.replace("\"in\":5", "\"in\":\"5k\""),
        "requests 0: \"in\" must be a whole number of tokens from 0 to 10000000, was \"5k\"");
    assertRefused(
        good.replace("\"out\":2,\"hash", "\"out\":99999999,\"hash"),
        "requests 1.0: \"out\" must be a whole number of tokens from 0 to 10000000, was 99999999");
    assertRefused(
        good.replace("[1,2]", "\"1 2\""), "requests 1.0: \"hash_ids\" must be a list, was \"1 2\"");
    assertRefused(
        good.replace("[1,2]", "[1,2.5]"),
        "requests 1.0: \"hash_ids\" must be a list of whole numbers, was [1,2.5]");
    assertRefused(
        good.replace("1.5", "\"2s\""),
        "requests 1.0: \"api_time\" must be a number of seconds from 0 to 1000000000, was \"2s\"");
    assertRefused(
        good.replace("\"subagent\"", "\"sub_agent\""),
        "requests 1: \"type\" must be \"subagent\" in an entry that holds \"requests\", was"
            + " \"sub_agent\"");
    assertRefused(
        good.replaceFirst("\\[.*(?=}\n)", "{}"), "\"requests\" must be a list, was {}");
    assertRefused(
        good.replace("[1,2]", "[1,2,3,4]"),
        "4 hash_ids of 64 tokens cover more than the prompt's 70");
  }

  @Test
  void whatCannotBeReadInASpanOrARoundIsRefusedByItsName() {
    String span = span("c", "", 1, 3, "chat", 100, 20);
    assertRefused(
        spans(span.replace("\"100\"", "\"1e2\"")),
        "span c: \"gen_ai.usage.input_tokens\" must be a whole number of tokens from 0 to 10000000,"
            + " was \"1e2\"; fix or remove the span");
    assertRefused(
        spans(span.replaceFirst("\"1700000003\\d*\"", "\"soon\"")),
        "span c: \"endTimeUnixNano\" must be nanoseconds since 1970, was \"soon\"");
    assertRefused(
        spans(span("c", "", 3, 1, "chat", 100, 20)),
        "span c: \"endTimeUnixNano\" must be startTimeUnixNano (1700000003000000000) or later, was"
            + " 1700000001000000000; fix or remove the span");
    assertRefused(
        spans(span.replace("\"spanId\":\"c\",", "")),
        "a span: \"spanId\" must be the span's id, is missing");
    String round =
        "{\"session_id\":\"s\",\"input_tokens_total\":9,\"output_tokens\":2,"
            + "\"timing_events\":[]}\n";
    assertRefused(
        round.replace(":9", ":-9"), "\"input_tokens_total\" must be a whole number of tokens");
    assertRefused(round.replace("[]", "{}"), "\"timing_events\" must be a list, was {}");
    assertRefused(
        round.replace("\"s\"", "null"),
        "\"session_id\" must be the name of the round's session, was null; fix or remove the row");
  }

  private void assertRefused(String content, String message) {
    assertThatThrownBy(() -> guessed(content)).hasMessageContaining("data:1: ")
        .hasMessageContaining(message);
  }

  @Test
  void roundsOfTraceLabFollowEachOther() throws IOException {
    String round =
        "{\"session_id\":\"claude:1\",\"round_index\":%d,\"input_tokens_total\":%d,"
            + "\"output_tokens\":%d,\"timing_events\":["
            + "{\"event_type\":\"user_message\",\"timestamp\":\"2026-06-08T09:00:%02dZ\"},"
            + "{\"event_type\":\"tool_call\",\"timestamp\":\"2026-06-08T09:00:%02d.5Z\"}]}\n";
    Dataset dataset =
        guessed(round.formatted(0, 100, 20, 0, 2) + round.formatted(1, 150, 30, 7, 9));

    assertThat(dataset.format()).isEqualTo("tracelab");
    assertThat(dataset.entries()).hasSize(1);
    assertThat(dataset.entries().getFirst().turns())
        .containsExactly(
            new Tokens(100, List.of(), 20), new Tokens(30, List.of(), 30, 4_500_000_000L));
    assertThat(dataset.entries().getFirst().links())
        .containsExactly(Link.PREVIOUS, new Link(0, List.of(0), true, false));
    assertThatThrownBy(
            () -> guessed(round.formatted(0, 1, 1, 0, 2).replace("2026-06-08T", "yesterday ")))
        .hasMessageContaining("\"timestamp\" must be a date and time with its zone");
  }

  /** Of 60,000 calls: 20,000 sub-agents of two calls each that all run at the same time. */
  @Test
  void aLongSessionIsReadInOnePass() throws IOException {
    StringBuilder session = new StringBuilder("{\"id\":\"s\",\"block_size\":64,\"requests\":[");
    for (int i = 0; i < 20_000; i++) {
      session.append(
          ("{\"t\":%d,\"in\":50,\"out\":2,\"api_time\":0.5},"
                  + "{\"t\":%d,\"type\":\"subagent\",\"requests\":["
                  + "{\"t\":%d.6,\"in\":5,\"out\":2,\"api_time\":1},"
                  + "{\"t\":%d,\"in\":5,\"out\":2,\"api_time\":1}]},")
              .formatted(i, i, i, 30_000 + i % 3));
    }
    session.append("{\"t\":40000,\"in\":50,\"out\":2}]}\n");
    double before = cpuSeconds();
    Entry entry = guessed(session.toString()).entries().getFirst();
    assertThat(cpuSeconds() - before).isLessThan(MOST_SECONDS);
    assertThat(entry.turns()).hasSize(60_001);
    // The last call waits for its agent's one before, and the last of every sub-agent.
    assertThat(entry.links().getLast().after()).hasSize(20_001);
  }

  private static double cpuSeconds() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
  }

  @Test
  void agentsDeepInEachOtherAreReadInOnePass() throws IOException {
    List<String> spans = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      spans.add(span("a" + i, i == 0 ? "" : "a" + (i - 1), i, 90_000, "invoke_agent", -1, -1));
      spans.add(span("c" + i, "a" + i, i, i + 1, "chat", 100, 20));
    }
    double before = cpuSeconds();
    Entry entry = guessed(spans(spans.toArray(String[]::new))).entries().getFirst();
    assertThat(cpuSeconds() - before).isLessThan(MOST_SECONDS);
    assertThat(entry.turns()).hasSize(20_000);
  }

  private static String spans(String... spans) {
    return "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[" + String.join(",", spans)
        + "]}]}]}\n";
  }

  private static String span(
      String id, String parent, int from, int to, String operation, int input, int output) {
    long origin = 1_700_000_000L;
    String usage =
        input < 0
            ? ""
            : ",{\"key\":\"gen_ai.usage.input_tokens\",\"value\":{\"intValue\":\"" + input
                + "\"}},{\"key\":\"gen_ai.usage.output_tokens\",\"value\":{\"intValue\":\""
                + output + "\"}}";
    return "{\"traceId\":\"1\",\"spanId\":\"" + id + "\",\"parentSpanId\":\"" + parent
        + "\",\"startTimeUnixNano\":\"" + (origin + from) + "000000000\",\"endTimeUnixNano\":\""
        + (origin + to) + "000000000\",\"attributes\":[{\"key\":\"gen_ai.operation.name\","
        + "\"value\":{\"stringValue\":\"" + operation + "\"}}" + usage + "]}";
  }

  private Dataset guessed(String content) throws IOException {
    return read(content, "");
  }

  private Dataset read(String content, String more) throws IOException {
    Files.writeString(folder.resolve("data"), content);
    Path scenario =
        Files.writeString(
            folder.resolve("x.yaml"),
            "requests: 1\nworkload: {rate: 1, " + more + "dataset: {file: data}}\n");
    RequestContent read =
        ScenarioReader.read(scenario, List.of(), List.of(), false, notes::add)
            .workload().classes().getFirst().content();
    return ((RequestContent.FromDataset) read).dataset();
  }
}
