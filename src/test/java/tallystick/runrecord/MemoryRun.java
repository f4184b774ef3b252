package tallystick.runrecord;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.plan.Plan;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Settings;
import tallystick.scenario.Endpoint;
import tallystick.scenario.Exporter;
import tallystick.scenario.Objective;
import tallystick.scenario.Scenario.Access;
import tallystick.scenario.Scenario.RequestForm;
import tallystick.scenario.Scenario.StopRules;
import tallystick.scenario.Target;

/** A run record in memory: rows as they were put in, and facts that a test may change. */
public class MemoryRun implements RunRows {
  public static final long SECOND = 1_000_000_000L;

  public final List<RequestRow> requests = new ArrayList<>();
  public final List<ScrapeRow> scrapes = new ArrayList<>();
  public final List<Exporter> exporters = new ArrayList<>();
  public final List<ScrapeRow> exporterScrapes = new ArrayList<>();
  public final List<HarnessRow> harness = new ArrayList<>();
  public final List<SpanRow> spans = new ArrayList<>();
  public final List<Objective> objectives = new ArrayList<>();
  public final List<Phase> phases = new ArrayList<>();
  public final List<Target> targets = new ArrayList<>();
  public final Map<Integer, Integer> choices = new HashMap<>();
  public final Map<String, String> labels = new HashMap<>();
  public final Map<String, String> versions = new HashMap<>();
  public final Map<String, String> host = new HashMap<>();
  public final List<String> faults = new ArrayList<>();
  public String runId = "run-1";
  public long seed = 7;
  public LoopShape loop = LoopShape.OPEN;
  public Manifest.Source source = Manifest.Source.REAL;
  public Manifest.Ending.State state = Manifest.Ending.State.COMPLETED;
  public String stateDetail = "";
  public Manifest.Clock clock = new Manifest.Clock(1_700_000_000L * SECOND, 0, 0);
  public boolean ignoreEos = true;
  public boolean samePrompts;
  public String extraBody = "";
  public long planned = -1;
  public double scrapeIntervalSeconds = 1;
  public int concurrency;
  private PlanTable plan = PlanTable.unknown();

  /** One target, and one phase of a minute. */
  public MemoryRun() {
    targets.add(Target.at("http://127.0.0.1:8000"));
    phases.add(new Phase("main", false, 0, 60 * SECOND, 1));
  }

  @Override
  public Manifest manifest() {
    return new Manifest(
        1, runId, "test", source, seed, "nonce", "tiny", targets, labels, versions, host,
        clock, new Manifest.Ending(
            state, stateDetail, requests.size(), scrapes.size(), harness.size(), 0),
        PromptForm.UNKNOWN);
  }

  @Override
  public Settings settings() {
    long end = phases.stream().mapToLong(Phase::endNanos).max().orElse(0);
    return new Settings(
        "test", seed, Endpoint.COMPLETIONS, "tiny", targets, loop, concurrency, phases,
        objectives,
        new Settings.Timing(end, Math.round(scrapeIntervalSeconds * SECOND), 60 * SECOND),
        new RequestForm(ignoreEos, samePrompts, true, extraBody, Map.of()), labels,
        List.of(), Access.PLAIN, StopRules.NEVER, exporters);
  }

  @Override
  public long plannedRequests() {
    return planned >= 0 ? planned : requests.size();
  }

  @Override
  public int choices(int requestIndex) {
    return choices.getOrDefault(requestIndex, 1);
  }

  /** The plan that these requests are of, from the lines of its file. */
  public void plan(List<PlannedRequest> requests) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    PlanJson.write(new Plan(settings(), requests), file);
    plan = new PlanTable(requests.size());
    for (String line : file.toString(StandardCharsets.UTF_8).lines().toList()) {
      byte[] bytes = line.replaceAll("]}$", "").getBytes(StandardCharsets.UTF_8);
      PlanTable.line(bytes, 0, bytes.length).ifPresent(plan::add);
    }
    planned = requests.size();
  }

  @Override
  public PlanTable plan() {
    return plan;
  }

  @Override
  public boolean hasConversations() {
    return plan.sessions() > 0;
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
  public void eachExporterScrape(Consumer<ScrapeRow> reader) {
    exporterScrapes.forEach(reader);
  }

  @Override
  public void eachHarness(Consumer<HarnessRow> reader) {
    harness.forEach(reader);
  }

  @Override
  public void eachSpan(Consumer<SpanRow> reader) {
    spans.forEach(reader);
  }

  @Override
  public List<String> faults() {
    return faults;
  }
}
