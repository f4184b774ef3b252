package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.Reconciliation.Verdict;
import tallystick.analysis.result.RunAnalysis;
import tallystick.plan.Planner;
import tallystick.plan.Settings;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.Sample;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;
import tallystick.simengine.EngineSettings;
import tallystick.virtualrun.VirtualRecord;
import tallystick.virtualrun.VirtualWorld;

/**
 * A run of a whole exposition, and one family of it after the other spoiled: as a number that
 * cannot be, as one that is wrong, or not there at all. No analysis fails, the client's half stays
 * what it was, and no cause is named that was not there.
 */
class SpoiledFamiliesTest {
  private static final String SCENARIO =
      """
      name: spoiled
      endpoint: completions
      workload: {arrival: poisson, rate: 8, prompt_tokens: 120, output_tokens: 24}
      duration: 10s
      """;

  /** What a family that is wrong, and it alone, may bring: none of these names a cause. */
  private static final Set<Code> ALLOWED =
      EnumSet.of(
          Code.LEDGER_DIFFERS, Code.LEDGER_PARTLY_CHECKED, Code.ACCOUNTS_INCONSISTENT,
          Code.IMPOSSIBLE_HISTOGRAM, Code.IMPOSSIBLE_VALUES, Code.FAMILIES_GONE,
          Code.FAMILIES_MISSING);

  @TempDir private static Path folder;

  enum Damage {
    NAN, INFINITE, NEGATIVE, MISSING, DOUBLED, BILLION;

    Optional<Sample> of(Sample sample) {
      return switch (this) {
        case NAN -> Optional.of(new Sample(sample.series(), Double.NaN));
        case INFINITE -> Optional.of(new Sample(sample.series(), Double.POSITIVE_INFINITY));
        case NEGATIVE -> Optional.of(new Sample(sample.series(), -1));
        case MISSING -> Optional.empty();
        case DOUBLED -> Optional.of(new Sample(sample.series(), 2 * sample.value()));
        case BILLION -> Optional.of(new Sample(sample.series(), 1e9));
      };
    }
  }

  enum When {
    ALWAYS, ONCE, LATER, LAST, FIRST;

    boolean holds(int scrape, int scrapes) {
      return switch (this) {
        case ALWAYS -> true;
        case FIRST -> scrape < scrapes / 3;
        case ONCE -> scrape == scrapes / 2;
        case LATER -> scrape >= scrapes / 2;
        case LAST -> scrape == scrapes - 1;
      };
    }
  }

  /** What the ledger rests on, and one gauge; the others under the tag stress. */
  @ParameterizedTest
  @ValueSource(strings = {"vllm", "sglang"})
  void whatTheLedgerRestsOnMayBeWrongInEveryWay(String engine) throws Exception {
    EditedRun run = played(engine);
    List<String> families =
        run.families().stream().filter(SpoiledFamiliesTest::isOfTheLedger).toList();
    assertThat(families).hasSize(5);
    sweep(run, families, List.of(When.ALWAYS, When.ONCE));
  }

  @Tag("stress")
  @ParameterizedTest
  @ValueSource(strings = {"vllm", "sglang"})
  void everyFamilyMayBeWrongInEveryWay(String engine) throws Exception {
    EditedRun run = played(engine);
    sweep(run, run.families(), List.of(When.values()));
  }

  private static boolean isOfTheLedger(String family) {
    return MetricVocabulary.standard()
        .conceptOf(family)
        .filter(
            EnumSet.of(
                MetricConcept.GENERATION_TOKENS, MetricConcept.PROMPT_TOKENS, MetricConcept.TTFT,
                MetricConcept.REQUEST_SUCCESS, MetricConcept.RUNNING)::contains)
        .isPresent();
  }

  private static void sweep(EditedRun run, List<String> families, List<When> times) {
    RunAnalysis whole = Analyzer.analyze(run);
    assertThat(whole.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED);
    List<String> wrong = new ArrayList<>();
    for (String family : families) {
      for (Damage damage : Damage.values()) {
        for (When when : times) {
          fault(whole, run.edited(family, damage, when), family)
              .ifPresent(what -> wrong.add(family + " " + damage + " " + when + ": " + what));
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** What an analysis says that it must not; empty for a sound one. */
  private static Optional<String> fault(RunAnalysis whole, RunRows edited, String family) {
    RunAnalysis analysis = Analyzer.analyze(edited);
    Set<Code> known = codes(whole);
    List<String> causes =
        analysis.findings().stream()
            .filter(finding -> !known.contains(finding.code()))
            .filter(finding -> !isAllowed(finding, family))
            .map(finding -> finding.code() + " " + finding.text())
            .toList();
    if (!causes.isEmpty()) {
      return Optional.of(causes.toString());
    }
    if (!analysis.client().equals(whole.client())) {
      return Optional.of("the client's half is another one");
    }
    return analysis.interpretation().directions().equals(whole.interpretation().directions())
        ? Optional.empty()
        : Optional.of(analysis.interpretation().directions().toString());
  }

  /**
   * That no gap was observed is true of a histogram of gaps that stands still; and of an abort,
   * SGLang shows nothing but a first token.
   */
  private static boolean isAllowed(Finding finding, String family) {
    return ALLOWED.contains(finding.code())
        || finding.code() == Code.MULTI_TOKEN_STEPS && family.contains("inter_token")
        || finding.code() == Code.ENGINE_SIDE_ABORTS
            && family.equals("sglang:time_to_first_token_seconds");
  }

  private static Set<Code> codes(RunAnalysis analysis) {
    return analysis.findings().stream().map(Finding::code).collect(Collectors.toSet());
  }

  private static String familyOf(Sample sample) {
    return sample.series().name().replaceAll("_(bucket|sum|count)$", "");
  }

  private static EditedRun played(String engine) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve(engine + ".yaml"), SCENARIO);
    Scenario scenario = ScenarioReader.read(file, List.of(), List.of());
    Path run = folder.resolve(engine).resolve("played");
    new VirtualRecord(
            Planner.plan(scenario, 7), EngineSettings.ofFlags(Map.of("family", engine)),
            new VirtualWorld.Shape(100_000, 0, 0, 0, 0), "test")
        .write(RecordFiles.ofRun(run));
    return new EditedRun(RecordReader.open(run));
  }

  /** A record whose scrapes stand in memory. */
  private static final class EditedRun implements RunRows {
    private final RunRows record;
    private final List<ScrapeRow> whole = new ArrayList<>();
    private final List<ScrapeRow> scrapes = new ArrayList<>();
    private final List<RequestRow> requests = new ArrayList<>();
    private final List<HarnessRow> harness = new ArrayList<>();

    EditedRun(RunRows record) {
      this.record = record;
      record.eachScrape(whole::add);
      scrapes.addAll(whole);
      record.eachRequest(requests::add);
      record.eachHarness(harness::add);
    }

    List<String> families() {
      return whole.getFirst().samples().stream()
          .map(SpoiledFamiliesTest::familyOf)
          .distinct()
          .toList();
    }

    /** The same run with one family wrong in some of its scrapes. */
    EditedRun edited(String family, Damage damage, When when) {
      scrapes.clear();
      for (int i = 0; i < whole.size(); i++) {
        ScrapeRow row = whole.get(i);
        scrapes.add(when.holds(i, whole.size()) ? edited(row, family, damage) : row);
      }
      return this;
    }

    private static ScrapeRow edited(ScrapeRow row, String family, Damage damage) {
      List<Sample> samples =
          row.samples().stream()
              .flatMap(
                  sample ->
                      familyOf(sample).equals(family)
                          ? damage.of(sample).stream()
                          : Stream.of(sample))
              .toList();
      return row.with(samples);
    }

    @Override
    public Manifest manifest() {
      return record.manifest();
    }

    @Override
    public Settings settings() {
      return record.settings();
    }

    @Override
    public long plannedRequests() {
      return record.plannedRequests();
    }

    @Override
    public void eachRequest(Consumer<RequestRow> reader) {
      requests.forEach(reader);
    }

    @Override
    public void eachScrape(Consumer<ScrapeRow> reader) {
      scrapes.forEach(reader);
    }

    @Override
    public void eachHarness(Consumer<HarnessRow> reader) {
      harness.forEach(reader);
    }

    @Override
    public List<String> faults() {
      return List.of();
    }
  }
}
