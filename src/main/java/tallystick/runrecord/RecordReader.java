package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tallystick.plan.Settings;

/**
 * A run record on disk, read as streams. A line that cannot be read is left out and named in
 * {@link #faults()}: a killed run's record is readable up to its last whole line.
 */
public final class RecordReader implements RunRows {
  private static final JsonFactory JSON = RecordJson.MAPPER.getFactory();

  private final RecordFiles files;
  private final Manifest manifest;
  private final PlanJson.Head plan;
  private final Set<String> faults = new LinkedHashSet<>();

  private RecordReader(RecordFiles files, Manifest manifest, PlanJson.Head plan) {
    this.files = files;
    this.manifest = manifest;
    this.plan = plan;
  }

  /**
   * Opens the record of a run.
   *
   * @param runFolder the run's folder, the one that holds {@code record/}
   * @throws IOException if there is no readable manifest or plan
   */
  public static RecordReader open(Path runFolder) throws IOException {
    RecordFiles files = RecordFiles.ofRun(runFolder);
    if (!Files.exists(files.manifest())) {
      throw new IOException(
          runFolder + " holds no run record: " + files.manifest() + " is missing");
    }
    return new RecordReader(
        files, ManifestJson.read(files.manifest()), PlanJson.readHead(files.plan()));
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
  public void eachRequest(Consumer<RequestRow> reader) {
    eachLine(files.requests(), line -> Optional.of(readRequest(line)), reader);
  }

  @Override
  public void eachScrape(Consumer<ScrapeRow> reader) {
    eachLine(files.scrapes(), new ScrapeRowReader()::read, reader);
  }

  @Override
  public void eachHarness(Consumer<HarnessRow> reader) {
    eachLine(files.harness(), line -> Optional.of(HarnessRowJson.read(line)), reader);
  }

  @Override
  public void eachSpan(Consumer<SpanRow> reader) {
    if (Files.exists(files.traces())) {
      eachLine(files.traces(), line -> Optional.of(SpanRowJson.read(line)), reader);
    }
  }

  @Override
  public List<String> faults() {
    return List.copyOf(faults);
  }

  private static RequestRow readRequest(String line) throws IOException {
    try (JsonParser parser = JSON.createParser(line)) {
      return RequestRowJson.read(parser);
    }
  }

  private interface LineParser<T> {
    Optional<T> parse(String line) throws IOException;
  }

  private <T> void eachLine(Path file, LineParser<T> parser, Consumer<T> reader) {
    if (!Files.exists(file)) {
      faults.add(file.getFileName() + " is missing");
      return;
    }
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8), 1 << 16)) {
      long number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        Optional<T> row = parse(file, number, line, parser);
        row.ifPresent(reader);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private <T> Optional<T> parse(Path file, long number, String line, LineParser<T> parser) {
    try {
      return parser.parse(line);
    } catch (JsonProcessingException e) {
      faults.add(file.getFileName() + ":" + number + " is cut or damaged and was left out");
    } catch (IOException | IllegalArgumentException | NullPointerException e) {
      faults.add(
          file.getFileName() + ":" + number + " was left out: " + e.getMessage());
    }
    return Optional.empty();
  }
}
