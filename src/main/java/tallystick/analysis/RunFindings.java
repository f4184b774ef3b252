package tallystick.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tallystick.analysis.client.ClientSide;
import tallystick.analysis.client.HarnessAccount;
import tallystick.analysis.client.RequestCounts;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Thinking;
import tallystick.plan.LoopShape;
import tallystick.plan.Settings;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Outcome;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;
import tallystick.scenario.Objective;

/** What a reader must know of the client before trusting the figures. */
final class RunFindings {
  /** Above 1 % failures are part of what users see, whatever latencies say. */
  private static final double FAILURE_LIMIT = 0.01;

  /** With 5 % of chunks merged a P95 of gaps is of merged ones. */
  private static final double COALESCED_LIMIT = 0.05;
  private static final int MOST_STATUSES = 3; // As many as a sentence can hold

  /** As many as an objective at the usual 99 % may lose. */
  private static final double MOST_UNANSWERED = 0.01;

  private final Manifest manifest;
  private final Settings settings;
  private final RunAnalysis.Counts counts;
  private final ClientSide client;
  private final HarnessAccount harness;
  private final List<Finding> findings = new ArrayList<>();

  RunFindings(
      Manifest manifest,
      Settings settings,
      RunAnalysis.Counts counts,
      ClientSide client,
      HarnessAccount harness) {
    this.manifest = manifest;
    this.settings = settings;
    this.counts = counts;
    this.client = client;
    this.harness = harness;
  }

  /** The findings. */
  List<Finding> all() {
    addKind();
    addOutcomes();
    addCutSessions();
    addThinking();
    addStream();
    addPrecision();
    return List.copyOf(findings);
  }

  private void addKind() {
    if (manifest.source().isSimulated()) {
      note(Code.SIMULATED_ENGINE,
          "Simulated run: these figures do not describe real hardware.");
    }
    if (settings.loop() == LoopShape.CLOSED) {
      note(Code.CLOSED_LOOP,
          "Closed loop: a slower server gets fewer requests. The waits that users would have had"
              + " then are missing (coordinated omission), and cannot be corrected.",
          "Use an arrival rate to learn what users would see at a given load.");
    }
    if (RunDescription.isWarmCache(manifest, settings)) {
      note(Code.WARM_CACHE,
          "Warm cache: prompts repeat those of earlier runs with this seed.",
          "Run without --same-prompts, or reset the engine's prefix cache before the run.");
    }
    if (settings.loop() == LoopShape.OPEN && settings.concurrency() > 0) {
      note(Code.CONCURRENCY_CAP,
          "At most " + Counted.of(settings.concurrency(), "request is", "requests are")
              + " in flight at once. Waiting for a place counts: latencies start at"
              + " the intended start.");
    }
    if (client.tally().extraChoices() > 0) {
      note(Code.SEVERAL_ANSWERS,
          "Some requests ask for several answers (n > 1). The ledger counts answers. Gaps of such"
              + " requests are left out, and latencies are not compared.");
    }
    if (settings.options().withoutStream()) {
      note(Code.NOT_STREAMED,
          "Answers were not streamed (request.stream: false). E2E and tokens are known; TTFT, ITL,"
              + " TPOT and the largest gap are not.");
    }
    harness.all(Mark.Kind.HTTP_VERSIONS).stream()
        .map(Mark::detail)
        .findFirst()
        .ifPresent(this::addHttpVersions);
    harness.all(Mark.Kind.STALE_GAUGE).stream()
        .findFirst()
        .ifPresent(
            mark ->
                note(Code.STALE_GAUGE,
                    "The engine was idle by its counters, but its gauges did not return to"
                        + " zero.",
                    List.of(mark.detail())));
  }

  private void addHttpVersions(String spoken) {
    if (spoken.contains("http/1.1")) {
      note(Code.HTTP2_NOT_SPOKEN,
          "HTTP/2 was asked for, but HTTP/1.1 was spoken: answers " + spoken + ".",
          "HTTP/2 needs https, and a server, or what stands before it, that names h2 in TLS"
              + " (ALPN).");
    } else {
      note(Code.HTTP_VERSIONS, "HTTP/2 was spoken: answers " + spoken + ".");
    }
  }

  /** Who was cut had taken long: without them a share is of the shorter sessions. */
  private void addCutSessions() {
    long cut = client.sessions().cut();
    if (cut > 0 && settings.objectives().stream().anyMatch(Objective::judgesSessions)) {
      note(Code.SESSIONS_CUT,
          "The end of the run cut " + Counted.of(cut, "session", "sessions")
              + " short. Objectives on sessions do not judge them, and long ones are cut most.",
          "Let the run end by itself: it waits for the sessions that have begun.");
    }
  }

  private void addOutcomes() {
    if (counts.ended() == 0) {
      note(Code.NO_REQUESTS, "The record holds no measured request.",
          "Look at the run's output: it ended before the load began, or only the warm-up ran.");
      return;
    }
    long silent = count(Outcome.EMPTY_STREAM) + count(Outcome.NOT_A_STREAM);
    if (silent == counts.ended()) {
      note(Code.NOTHING_STREAMED, "No answer carried a streamed token.", outcomes(),
          remedy().ofNothingStreamed());
      return;
    }
    long failed = counts.ended() - counts.ok() - count(Outcome.CLIENT_CANCELLED);
    if (failed == counts.ended()) {
      note(Code.NO_REQUEST_SUCCEEDED, "No request ended well.",
          outcomes(),
          remedy().or("Look at the outcomes and statuses: --verbose lists them."));
    } else if (failed > FAILURE_LIMIT * counts.ended()) {
      note(Code.FAILURES,
          Formatted.of(
              "%d of %d requests failed (%.1f %%%s). Latencies are those of the others%s.",
              failed, counts.ended(), 100.0 * failed / counts.ended(), refusals(),
              client.latencies().latencies().ttftOfFailed() > 0
                  ? "; TTFT also counts those that began to answer"
                  : ""),
          outcomes(),
          remedy().ofSome());
    }
  }

  /** Said once the engine's side is known: its success counter does not see failures. */
  static List<Finding> successIsNoRate(
      RunAnalysis.Counts counts, RunAnalysis.EngineAccount engine) {
    long notOk = counts.ended() - counts.ok();
    if (!engine.available() || notOk == 0) {
      return List.of();
    }
    Map<String, Double> successes = new LinkedHashMap<>(engine.counters());
    successes
        .keySet()
        .removeIf(
            name -> !MetricVocabulary.standard().means(name, MetricConcept.REQUEST_SUCCESS));
    if (successes.isEmpty()
        || successes.values().stream().mapToDouble(Double::doubleValue).sum() >= counts.ended()) {
      // Answers that only the way to the client spoiled are in it.
      return List.of();
    }
    List<String> lines =
        successes.entrySet().stream()
            .map(entry -> Formatted.of("%s %.0f", entry.getKey(), entry.getValue()))
            .toList();
    return List.of(new Finding(Code.SUCCESS_COUNTER_IS_NO_RATE,
        Counted.of(notOk, "request", "requests")
            + " failed or were left. The engine does not show that: it counts only requests"
            + " that finished.",
        lines, "Take error rates from the client or the gateway."));
  }

  /** Beyond a limit samples are not kept one by one; the reader must know which. */
  private void addPrecision() {
    RunAnalysis.ClientLatencies latencies = client.latencies().latencies();
    Map<String, Distribution> all = new LinkedHashMap<>();
    all.put("TTFT", latencies.ttftFromIntended());
    all.put("largest gap", latencies.largestGaps());
    all.put("ITL", latencies.chunkGaps());
    all.put("TPOT", latencies.tpot());
    all.put("E2E", latencies.e2eFromIntended());
    List<String> coarse =
        all.entrySet().stream()
            .filter(entry -> entry.getValue().relativeError() > 0)
            .map(
                entry ->
                    Formatted.of(
                        "%s: %,d samples, percentiles within %.2g %%", entry.getKey(),
                        entry.getValue().count(), entry.getValue().relativeError() * 100))
            .toList();
    if (!coarse.isEmpty()) {
      note(Code.PERCENTILES_ROUNDED,
          "There are too many samples to keep each one. Some percentiles are rounded to four"
              + " digits; counts, means, extremes and bucket counts are exact.",
          coarse);
    }
  }

  /** Few that think too long are an accident; their users waited for nothing all the same. */
  private void addThinking() {
    Thinking thinking = client.latencies().latencies().thinking();
    if (thinking.withoutAnswer() > MOST_UNANSWERED * thinking.requests()) {
      note(Code.ENDED_IN_THINKING,
          Formatted.of(
              "%,d of %,d answers ended in their thinking: no word of the answer"
                  + " came.", thinking.withoutAnswer(), thinking.requests()),
          "Raise output_tokens, or have the model think less.");
    }
  }

  private void addStream() {
    double merged = client.counts().mergedShare();
    if (merged > 0.01) {
      note(Code.MERGED_CHUNKS,
          Formatted.of(
              "%.1f %% of the chunks carry several tokens: a chunk gap is not a token gap.",
              merged * 100));
    }
    if (counts.chunks() > 0 && counts.unknownChunks() > 0) {
      note(Code.TOKENS_UNTOLD,
          "%s of %s chunks did not say how many tokens they carry."
              .formatted(counts.unknownChunks(), counts.chunks()),
          withoutPace(),
          "Turn continuous usage on if the server knows it.");
    }
    if (counts.coalescedChunks() instanceof Figure.Known coalesced
        && coalesced.value() > COALESCED_LIMIT * counts.chunks()) {
      note(Code.COALESCED_CHUNKS,
          Formatted.of(
              "%.1f %% of the chunks came in one read with an earlier one. Their gaps are the"
                  + " network's or a proxy's, not the engine's.",
              100 * coalesced.value() / counts.chunks()));
    }
  }

  private List<String> withoutPace() {
    long answers = client.latencies().firstUntold();
    return answers == 0
        ? List.of()
        : List.of(
            "TPOT of " + Counted.of(answers, "answer", "answers") + " is not known: fewer chunks"
                + " than tokens, and the first did not say how many it carries");
  }

  private long count(Outcome outcome) {
    return counts.byOutcome().getOrDefault(RequestCounts.word(outcome), 0L);
  }

  /** How many were refused with which status, the most frequent first. */
  private String refusals() {
    return client.counts().byStatus().entrySet().stream()
        .filter(entry -> entry.getKey().matches("[45]\\d\\d"))
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(MOST_STATUSES)
        .map(entry -> "; " + entry.getValue() + " with HTTP " + entry.getKey())
        .collect(Collectors.joining());
  }

  private FailureRemedy remedy() {
    RequestCounts read = client.counts();
    return new FailureRemedy(counts.byOutcome(), read.byStatus(), read.whyFailed());
  }

  private List<String> outcomes() {
    List<String> why = client.counts().whyFailed();
    List<String> lines = new ArrayList<>();
    counts.byOutcome().entrySet().stream()
        .sorted((one, other) -> Long.compare(other.getValue(), one.getValue()))
        // What is told once more with its reason or status needs no line of its own.
        .filter(entry -> why.stream().noneMatch(reason -> tellsAll(reason, entry)))
        .map(entry -> entry.getValue() + " " + entry.getKey())
        .forEach(lines::add);
    lines.addAll(why);
    return lines;
  }

  private static boolean tellsAll(String reason, Map.Entry<String, Long> outcome) {
    boolean isHttp = outcome.getKey().equals(RequestCounts.word(Outcome.HTTP_ERROR));
    return reason.startsWith(
        outcome.getValue() + (isHttp ? " HTTP " : " " + outcome.getKey() + ":"));
  }

  private void note(Code code, String text, String... remedy) {
    note(code, text, List.of(), remedy);
  }

  private void note(Code code, String text, List<String> evidence, String... remedy) {
    findings.add(new Finding(code, text, evidence, String.join("", remedy)));
  }
}
