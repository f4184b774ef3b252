package tallystick.analysis.result;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.runrecord.Manifest;

/**
 * Everything the product says about one run; immutable. Renderers show it and compute nothing.
 *
 * @param formatVersion version of {@code analysis.json}
 * @param run what the run was
 * @param findings what bears on trust, the gravest first
 * @param counts what was sent and what came back
 * @param client the client's latencies
 * @param engine the engine's account
 * @param reconciliation whether the two agree
 * @param comparisons client and engine beside each other, one for each quantity
 * @param objectives what the run was judged by
 * @param timeline both sides over time
 * @param harness whether the harness itself kept up
 * @param decompositions TTFT and E2E taken apart
 * @param stalls client stalls beside engine preemptions
 * @param load offered, admitted, completed, and the workload's shape
 * @param sessions conversations as wholes, and their requests by turn
 * @param phases each measured phase judged apart
 * @param interpretation which way the evidence points
 * @param traces the engine's spans joined to requests one by one
 * @param surroundings the points between client and engine, and the machines
 */
public record RunAnalysis(
    int formatVersion,
    RunFacts run,
    List<Finding> findings,
    Counts counts,
    ClientLatencies client,
    EngineAccount engine,
    Reconciliation reconciliation,
    List<Comparison> comparisons,
    List<ObjectiveResult> objectives,
    Timeline timeline,
    HarnessHealth harness,
    List<Decomposition> decompositions,
    StallAnalysis stalls,
    LoadAccount load,
    SessionAccount sessions,
    List<PhaseAnalysis> phases,
    Interpretation interpretation,
    TraceJoin traces,
    ExporterAccount surroundings) {

  /** What rates of it count: a conversation is begun, then asks again and again. */
  public String unitOfRates() {
    return sessions.planned() > 0 ? "sessions/s" : "requests/s";
  }

  /** The steps that answer for it; empty where its objectives do. */
  public Optional<LoadSteps> steps() {
    return LoadSteps.of(phases)
        .filter(all -> all.tell(ObjectiveResult.together(objectives)));
  }

  /** What it comes to: a load in steps as its steps do, any other as its objectives. */
  public Judgement judgement() {
    return steps()
        .map(LoadSteps::judgement)
        .orElseGet(() -> ObjectiveResult.together(objectives));
  }

  /** The version this code writes. */
  public static final int CURRENT_FORMAT = 1;

  /**
   * What the run was.
   *
   * @param source real, embedded or virtual; a simulated engine is named wherever figures are
   * @param state how the record ended
   * @param closedLoop whether omission cannot be corrected
   * @param warmCache whether prompts repeat those of earlier runs
   * @param startedUtc ISO 8601 start of the measured window
   * @param endedUtc ISO 8601 end of it
   * @param windowSeconds its length: from the origin to the end of the last measured request
   * @param prompts how made-up prompts were written; empty where the record does not tell
   */
  public record RunFacts(
      String runId,
      String scenario,
      Manifest.Source source,
      Manifest.Ending.State state,
      String stateDetail,
      boolean closedLoop,
      boolean warmCache,
      String model,
      List<String> targets,
      long seed,
      Map<String, String> labels,
      Map<String, String> versions,
      Map<String, String> host,
      String startedUtc,
      String endedUtc,
      double windowSeconds,
      String prompts) {
    public RunFacts {
      targets = List.copyOf(targets);
    }
  }

  /**
   * Counts over the measured window.
   *
   * @param planned requests the plan had
   * @param sent requests started; at least so many of a run that was killed
   * @param withoutRow those of them that have no row; not known of a run that was killed
   * @param ended requests with a row
   * @param ok requests that ended well
   * @param byOutcome ended requests by outcome word
   * @param promptTokens sum of usage.prompt_tokens
   * @param completionTokens sum of usage.completion_tokens
   * @param chunks content chunks
   * @param mergedChunks chunks known to carry more than one token
   * @param unknownChunks chunks whose tokens nobody told
   * @param coalescedChunks chunks read from the socket together with an earlier event
   * @param requestsPerSecond completed requests over the window
   * @param completionTokensPerSecond output tokens of the requests that ended well, over the window
   */
  public record Counts(
      long planned,
      long sent,
      Figure withoutRow,
      long ended,
      long ok,
      Map<String, Long> byOutcome,
      Figure promptTokens,
      Figure completionTokens,
      long chunks,
      Figure mergedChunks,
      long unknownChunks,
      Figure coalescedChunks,
      Figure requestsPerSecond,
      Figure completionTokensPerSecond) {}

  /**
   * The client's latencies in seconds. Failed requests are in none of them except where they
   * streamed a first token: then in {@code ttft} only, counted in {@code ttftOfFailed}.
   *
   * @param ttftFromIntended first token minus intended start: the headline
   * @param ttftFromStart first token minus actual start
   * @param ttftFromWritten first token minus request written: what the engine is compared with
   * @param e2eFromIntended last token minus intended start
   * @param e2eFromStart last token minus actual start
   * @param e2eFromWritten last token minus request written
   * @param tpot (last - first chunk) / (tokens - tokens of the first chunk) per request; none where
   *     the first chunk did not say its tokens and there are fewer chunks than tokens
   * @param chunkGaps every gap between neighbouring chunks: the client's ITL
   * @param tokenGaps the same where a gap before a chunk of k tokens counts k times gap/k
   * @param largestGaps the largest gap of each request
   * @param ttftOfFailed requests in the TTFT figures that ended otherwise than well
   * @param thinking what came before the answers
   */
  public record ClientLatencies(
      Distribution ttftFromIntended,
      Distribution ttftFromStart,
      Distribution ttftFromWritten,
      Distribution e2eFromIntended,
      Distribution e2eFromStart,
      Distribution e2eFromWritten,
      Distribution tpot,
      Distribution chunkGaps,
      Distribution tokenGaps,
      Distribution largestGaps,
      long ttftOfFailed,
      Thinking thinking) {}

  /**
   * The engine's account of the measured window.
   *
   * @param available whether there is one
   * @param absence why not; empty when available
   * @param distributions the histograms it exposes
   * @param counters reset-corrected deltas by family name, summed over engines
   * @param gauges minimum, mean and maximum over the window's scrapes by family name
   * @param goodScrapes scrapes inside the window that succeeded
   * @param failedScrapes scrapes inside the window that failed
   * @param settings what the engine's {@code _info} families tell by their labels; where engines
   *     differ, each value once
   */
  public record EngineAccount(
      boolean available,
      String absence,
      Map<Latency, EngineDistribution> distributions,
      Map<String, Double> counters,
      Map<String, GaugeRange> gauges,
      long goodScrapes,
      long failedScrapes,
      Map<String, String> settings) {}

  /**
   * Whether the harness itself kept up.
   *
   * @param lateness actual minus intended start, of all requests that started
   * @param turnaround the same of a closed loop's requests that followed an answer; none in an
   *     open loop
   * @param wakeUps how late a sleeping thread of the load process woke
   * @param saturated whether the client's own figures are spoiled
   * @param stalls times the load process did not run although it asked to
   * @param gcPauses collections that stopped it
   * @param gcSeconds their sum
   * @param droppedRows rows lost to full queues; at least so many of a run that was killed
   * @param processCores cores the load process used, mean over the window
   * @param limit how near it was to what it can do
   */
  public record HarnessHealth(
      Distribution lateness,
      Distribution turnaround,
      Distribution wakeUps,
      boolean saturated,
      Distribution stalls,
      long gcPauses,
      double gcSeconds,
      long droppedRows,
      Figure processCores,
      ClientLimit limit) {}

  public RunAnalysis {
    findings = List.copyOf(findings);
    comparisons = List.copyOf(comparisons);
    objectives = List.copyOf(objectives);
    decompositions = List.copyOf(decompositions);
    phases = List.copyOf(phases);
  }
}
