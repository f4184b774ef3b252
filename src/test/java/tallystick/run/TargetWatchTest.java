package tallystick.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.ManifestJson;
import tallystick.runrecord.PromptForm;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordWriter;
import tallystick.runrecord.RunClock;
import tallystick.scenario.Target;
import tallystick.scenario.TargetList;
import tallystick.scrape.MetricsAccess;
import tallystick.scrape.Scraper;

/** What a list that changes does to a run; nothing is scraped here. */
class TargetWatchTest {
  private static final Target GATEWAY =
      new Target("http://127.0.0.1:9", "", 1, Target.Role.GATEWAY);

  @TempDir private Path folder;

  private final RunClock clock = RunClock.start();

  @Test
  void whoComesAndGoesStandsInTheRecordAndEachKeepsItsNumber() throws Exception {
    list("a:1", "b:1");
    RecordWriter writer = writer();
    try (Scraper scraper = scraper();
        TargetWatch watch = watch(scraper, writer)) {
      watch.begin();
      assertThat(scraper.targets()).containsExactly(1, 2);
      list("b:1", "c:1");
      watch.look();
      assertThat(scraper.targets()).containsExactly(2, 3);
      list("a:1", "c:1");
      watch.look();
      assertThat(scraper.targets()).containsExactly(1, 3);
      assertThat(manifest().targets()).as("before the run ends").hasSize(4);
    }
    writer.close(Manifest.Ending.State.COMPLETED, "");
    assertThat(manifest().targets())
        .extracting(Target::url)
        .containsExactly("http://127.0.0.1:9", "http://a:1", "http://b:1", "http://c:1");
    assertThat(notes())
        .containsExactly(
            "3 joined", "1 left", "1 joined", "2 left");
  }

  @Test
  void aListThatCannotBeReadChangesNothingAndIsToldOnce() throws Exception {
    list("a:1");
    RecordWriter writer = writer();
    try (Scraper scraper = scraper();
        TargetWatch watch = watch(scraper, writer)) {
      watch.begin();
      for (String half : List.of("", "[{\"targets\": [\"b:1\"", "[{targets: [\"m:hush@b:1\"]}]")) {
        Files.writeString(folder.resolve("list.json"), half);
        watch.look();
        assertThat(scraper.targets()).as(half).containsExactly(1);
      }
      Files.delete(folder.resolve("list.json"));
      watch.look();
      assertThat(scraper.targets()).containsExactly(1);
      list("a:1", "a:1");
      watch.look();
    }
    writer.close(Manifest.Ending.State.COMPLETED, "");
    String harness = Files.readString(RecordFiles.ofRun(folder).harness());
    assertThat(harness).containsOnlyOnce("targets_unread").doesNotContain("hush", "scaling");
  }

  @Test
  void aThousandAreReadAndTheGatewayItselfIsNoneOfThem() throws Exception {
    String[] all = new String[1_001];
    Arrays.setAll(all, i -> "10.0.0.1:" + (i + 1));
    list(all);
    RecordWriter writer = writer();
    Target scraped = new Target("http://10.0.0.1:1", "http://10.0.0.1:1/metrics", 1);
    try (Scraper scraper = scraper();
        TargetWatch watch =
            new TargetWatch(source(), List.of(scraped), scraper, clock, writer)) {
      watch.begin();
      assertThat(scraper.targets()).hasSize(1_000);
      list();
      watch.look();
      assertThat(scraper.targets()).isEmpty();
    }
    writer.close(Manifest.Ending.State.COMPLETED, "");
  }

  @Test
  void aRunDoesNotBeginWithAnEmptyList() throws Exception {
    list();
    RecordWriter writer = writer();
    try (Scraper scraper = scraper();
        TargetWatch watch = watch(scraper, writer)) {
      assertThatThrownBy(watch::begin)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no target is listed");
    }
    writer.close(Manifest.Ending.State.FAILED, "");
  }

  private TargetList source() {
    return new TargetList(folder.resolve("list.json").toString(), "", "");
  }

  private TargetWatch watch(Scraper scraper, RecordWriter writer) {
    return new TargetWatch(source(), List.of(GATEWAY), scraper, clock, writer);
  }

  private Scraper scraper() {
    return new Scraper(
        List.of(GATEWAY), 1_000_000_000L, clock, row -> {}, MetricsAccess.plain());
  }

  private RecordWriter writer() throws IOException {
    Manifest manifest =
        new Manifest(
            Manifest.CURRENT_FORMAT, "r", "s", Manifest.Source.REAL, 1, "", "tiny",
            List.of(GATEWAY), Map.of(), Map.of(), Map.of(), new Manifest.Clock(0, 0, 0),
            Manifest.Ending.OPEN, PromptForm.UNKNOWN);
    return RecordWriter.open(RecordFiles.ofRun(folder), manifest, clock);
  }

  private Manifest manifest() throws IOException {
    return ManifestJson.read(RecordFiles.ofRun(folder).manifest());
  }

  private List<String> notes() throws IOException {
    return Files.readAllLines(RecordFiles.ofRun(folder).harness()).stream()
        .filter(line -> line.contains("\"scaling\""))
        .map(line -> line.replaceAll(".*\"target\":(\\d+),\"move\":\"(\\w+)\".*", "$1 $2"))
        .toList();
  }

  private void list(String... hosts) throws IOException {
    String all =
        Arrays.stream(hosts).map(host -> "\"" + host + "\"").collect(Collectors.joining(","));
    Files.writeString(folder.resolve("list.json"), "[{\"targets\": [" + all + "]}]");
  }
}
