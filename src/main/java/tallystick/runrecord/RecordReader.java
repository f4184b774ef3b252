package tallystick.runrecord;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import tallystick.plan.Settings;
import tallystick.scenario.PlainText;

/**
 * A run record on disk, read as streams. A line that cannot be read is left out and named in
 * {@link #faults()}: a killed run's record is readable up to its last whole line.
 */
public final class RecordReader implements RunRows {
  /** What the simulated engine adds to the version that it tells. */
  private static final String SIMULATED = "+tallystick.sim";

  private static final RowFile.LineParser<RequestRow> REQUEST =
      (bytes, from, length) -> Optional.of(RequestRowJson.read(bytes, from, length));

  private static final RowFile.LineParser<HarnessRow> HARNESS =
      (bytes, from, length) ->
          Optional.of(HarnessRowJson.read(RecordJson.tree(bytes, from, length)));

  private static final RowFile.LineParser<SpanRow> SPAN =
      (bytes, from, length) -> Optional.of(SpanRowJson.read(RecordJson.tree(bytes, from, length)));

  private final RecordFiles files;
  private final Manifest manifest;
  private final PlanJson.Head plan;
  private final List<String> unknowns;
  private final List<String> changes;
  private final Map<Path, RowFaults> faults = new ConcurrentSkipListMap<>();
  private PlanTable table;

  private RecordReader(
      RecordFiles files, Manifest manifest, PlanJson.Head plan, List<String> unknowns)
      throws IOException {
    this.unknowns = List.copyOf(unknowns);
    this.changes = RecordSums.changes(files);
    this.files = files;
    this.manifest = manifest;
    this.plan = plan;
  }

  /**
   * Opens the record of a run. A damaged manifest or plan is replaced by what can be known without
   * it, and {@link #unknowns()} says so.
   *
   * @param runFolder the run's folder, the one that holds {@code record/}
   * @throws IOException if there is no record, a newer format wrote it, or it is a shard's
   */
  public static RecordReader open(Path runFolder) throws IOException {
    Optional<Shard> shard = ShardJson.read(RecordFiles.ofRun(runFolder).shard());
    if (shard.isPresent()) {
      throw NoRecordException.ofShard(runFolder, shard.get());
    }
    return openPart(runFolder);
  }

  /** The same of a record that may hold a shard, which alone tells nothing of the run. */
  public static RecordReader openPart(Path runFolder) throws IOException {
    RecordFiles files = RecordFiles.ofRun(runFolder);
    if (!Files.exists(files.manifest()) && !Files.exists(files.requests())) {
      throw NoRecordException.at(runFolder);
    }
    List<String> unknowns = new ArrayList<>();
    Manifest manifest = manifest(files, runFolder, unknowns);
    PlanJson.Head plan = plan(files, manifest, unknowns);
    if (unknowns.isEmpty()) {
      unknowns.addAll(contradictions(manifest, plan.settings()));
    }
    return new RecordReader(
        files,
        PlainNames.of(manifest, Manifest.class),
        plan.with(PlainNames.of(plan.settings(), Settings.class)),
        unknowns);
  }

  private static Manifest manifest(RecordFiles files, Path runFolder, List<String> unknowns)
      throws IOException {
    try {
      return ManifestJson.read(files.manifest());
    } catch (DamagedFileException e) {
      unknowns.add(e.getMessage() + ": how the run ended is not known, nor all of what it was");
      String name = String.valueOf(runFolder.toAbsolutePath().normalize().getFileName());
      return Salvage.manifest(files.manifest(), name);
    }
  }

  private static PlanJson.Head plan(
      RecordFiles files, Manifest manifest, List<String> unknowns) throws IOException {
    try {
      return PlanJson.readHead(files.plan());
    } catch (DamagedFileException e) {
      unknowns.add(
          e.getMessage() + ": objectives, phases and the number of planned requests are not known");
      return new PlanJson.Head(Salvage.settings(manifest), 0, 0, Map.of(), false);
    }
  }

  /** What the manifest and the plan both say of the run, where they say it differently. */
  private static List<String> contradictions(Manifest manifest, Settings settings) {
    List<String> found = new ArrayList<>();
    String ofTwoRuns = "manifest.json and plan.json are of two runs: ";
    if (manifest.seed() != settings.seed()) {
      found.add(ofTwoRuns + "seed " + manifest.seed() + " and " + settings.seed());
    }
    if (!manifest.scenario().equals(settings.scenario())) {
      found.add(
          ofTwoRuns + "scenario " + PlainText.name(manifest.scenario()) + " and "
              + PlainText.name(settings.scenario()));
    }
    boolean namesSimulation =
        manifest.host().containsKey("step_time_profile")
            || manifest.versions().values().stream().anyMatch(of -> of.contains(SIMULATED));
    if (namesSimulation && !manifest.source().isSimulated()) {
      found.add(
          "manifest.json names a simulated engine, but its source is \""
              + manifest.source().name().toLowerCase(Locale.ROOT) + "\"");
    }
    return found;
  }

  /**
   * The end of a run whose record broke off: it says how many rows are there.
   *
   * @param why for a reader
   * @param offered rows of requests and scrapes of which somebody knows
   */
  public Manifest.Ending brokenOff(String why, long offered) {
    long[] counts = new long[3];
    eachRequest(row -> counts[0]++);
    eachScrape(row -> counts[1]++);
    eachHarness(row -> counts[2]++);
    long lost = Math.max(0, offered - counts[0] - counts[1]);
    return new Manifest.Ending(
        Manifest.Ending.State.FAILED, why, counts[0], counts[1], counts[2], lost);
  }

  @Override
  public Manifest manifest() {
    return manifest;
  }

  @Override
  public Settings settings() {
    return plan.settings();
  }

  @Override
  public long plannedRequests() {
    return plan.measuredCount();
  }

  @Override
  public int choices(int requestIndex) {
    return plan.choices().getOrDefault(requestIndex, 1);
  }

  @Override
  public boolean hasConversations() {
    return plan.hasConversations();
  }

  @Override
  public PlanTable plan() {
    if (table == null) {
      PlanTable read = new PlanTable(plan.requestCount());
      if (plan.requestCount() > 0) {
        read(files.plan(), PlanTable::line, RowFile::eachAhead, read::add);
      }
      table = read;
    }
    return table;
  }

  @Override
  public void eachRequest(Consumer<RequestRow> reader) {
    read(files.requests(), REQUEST, RowFile::eachAhead, reader);
  }

  /** The request rows one by one, for whoever reads several records side by side. */
  public RowCursor<RequestRow> requestCursor() throws IOException {
    return new RowCursor<>(new RowFile<>(files.requests(), REQUEST, faultsOf(files.requests())));
  }

  /** The harness's notes one by one. */
  public RowCursor<HarnessRow> harnessCursor() throws IOException {
    return new RowCursor<>(
        new RowFile<>(files.harness(), HARNESS, faultsOf(files.harness())).once());
  }

  @Override
  public void eachScrape(Consumer<ScrapeRow> reader) {
    read(files.scrapes(), new ScrapeRowReader()::read, RowFile::eachOnce, reader);
  }

  @Override
  public void eachExporterScrape(Consumer<ScrapeRow> reader) {
    if (!plan.settings().exporters().isEmpty()) {
      read(files.exporters(), new ScrapeRowReader()::read, RowFile::eachOnce, reader);
    }
  }

  @Override
  public void eachHarness(Consumer<HarnessRow> reader) {
    read(files.harness(), HARNESS, RowFile::eachOnce, reader);
  }

  @Override
  public void eachSpan(Consumer<SpanRow> reader) {
    if (Files.exists(files.traces())) {
      read(files.traces(), SPAN, RowFile::eachInTurn, reader);
    }
  }

  @Override
  public List<String> unknowns() {
    return unknowns;
  }

  @Override
  public List<String> changes() {
    List<String> all = new ArrayList<>(changes);
    faults.values().forEach(file -> all.addAll(file.changes()));
    return all;
  }

  @Override
  public List<String> faults() {
    return faults.values().stream().flatMap(file -> file.sentences().stream()).toList();
  }

  /** One pass over a file; it starts the list of the file's faults anew. */
  private <T> void read(Path file, RowFile.LineParser<T> parser, Pass<T> pass, Consumer<T> reader) {
    RowFaults found = faultsOf(file);
    if (!Files.exists(file)) {
      found.missing();
      return;
    }
    try {
      pass.over(new RowFile<>(file, parser, found), reader);
    } catch (IOException e) {
      found.unreadable(String.valueOf(e.getMessage()));
    }
  }

  private RowFaults faultsOf(Path file) {
    RowFaults found = new RowFaults(file.getFileName().toString());
    faults.put(file, found);
    return found;
  }

  private interface Pass<T> {
    void over(RowFile<T> rows, Consumer<T> reader) throws IOException;
  }
}
