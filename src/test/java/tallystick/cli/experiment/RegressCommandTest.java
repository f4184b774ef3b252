package tallystick.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;

class RegressCommandTest {
  private static final String SAMPLE = "reports/sample";

  @TempDir Path folder;

  private Path scenario;

  @BeforeEach
  void write() throws IOException {
    scenario =
        Files.writeString(
            folder.resolve("small.yaml"),
            """
            workload: {arrival: poisson, rate: 12, prompt_tokens: 200, output_tokens: 30}
            duration: 7s
            """);
  }

  private CommandRun regress(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "regress", scenario.toString(), "--rehearse", "--repeats", "3", "--out",
                folder.resolve("out").toString()));
    all.addAll(List.of(more));
    return CommandRun.of(all.toArray(String[]::new));
  }

  @Test
  void aSlowerCandidateEndsWithOneAndItsScreenFits() throws IOException {
    CommandRun run = regress("--candidate-engine", "fault=slow:decode=1.4");

    assertThat(run.code()).as(run.output()).isEqualTo(1);
    List<String> screen =
        run.output().lines().dropWhile(line -> !line.startsWith("regress ")).toList();
    assertThat(screen).hasSizeLessThanOrEqualTo(24).allMatch(line -> line.length() <= 80);
    assertThat(screen)
        .anyMatch(line -> line.startsWith("REGRESSED  TPOT mean +"))
        .anyMatch(line -> line.startsWith("WHY "))
        .anyMatch(line -> line.contains("simulated engine answered in virtual time"));
    Path results = CommandRun.onlyRun(folder.resolve("out"));
    assertThat(Files.readString(results.resolve("junit.xml"))).contains("<failure message=");
    assertThat(Files.readString(results.resolve("summary.md"))).contains("| TPOT mean |");
  }

  @Test
  void equalEnginesCalibrateTheNoise() {
    CommandRun run =
        regress("--calibrate", "--noise", folder.resolve("noise.json").toString());

    assertThat(run.code()).as(run.output()).isZero();
    assertThat(folder.resolve("noise.json")).isNotEmptyFile();
  }

  @Test
  void oneEmbeddedEngineIsNotPlayedAgainstItselfByMistake() {
    CommandRun run = CommandRun.of("regress", scenario.toString());

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.output()).contains("the same engine", "--candidate", "--calibrate");
  }

  @Test
  void whatCannotBeAskedIsAMistake() {
    assertThat(regress("--repeats", "2").code()).isEqualTo(2);
    assertThat(regress("--candidate-engine", "max-num-seqs").code()).isEqualTo(2);
    assertThat(regress("--candidate", "http://127.0.0.1:9").code()).isEqualTo(2);
    assertThat(regress("--margin", "ttft=5%").output()).contains("ttft_p95");
    assertThat(regress("--baseline", "nowhere.json").code()).isEqualTo(2);
    assertThat(regress("--calibrate", "--candidate-engine", "seed=2").code()).isEqualTo(2);
  }

  @Test
  void recordedRepeatsAreJudgedAndOneRunIsNot() throws IOException {
    List<Path> base = new ArrayList<>();
    List<Path> slower = new ArrayList<>();
    for (int seed = 1; seed <= 3; seed++) {
      base.add(simulated("a" + seed, seed, "slow:decode=1"));
      slower.add(simulated("b" + seed, seed, "slow:decode=1.4"));
    }

    CommandRun three = compare(base, slower);
    CommandRun one = compare(base.subList(0, 1), slower.subList(0, 1));
    CommandRun other = compare(base, List.of(slower.get(0), slower.get(1), Path.of(SAMPLE)));

    assertThat(three.code()).as(three.output()).isEqualTo(1);
    assertThat(three.output()).contains("REGRESSED ").contains("3 pairs");
    assertThat(one.code()).isEqualTo(5);
    assertThat(one.output()).contains("4 more of each");
    assertThat(other.code()).isEqualTo(4);
    assertThat(other.output())
        .contains("INVALID")
        .contains("mix")
        .contains("phases")
        .contains("NEXT     ./tally regress SCENARIO --base URL --candidate URL");
  }

  @Test
  void aCommittedBaselineJudgesRecordedRunsAndOfAnotherMixIsRefused() throws IOException {
    String baseline = folder.resolve("baseline.json").toString();
    CommandRun saved = regress("--save-baseline", baseline);
    assertThat(saved.code()).isZero();
    assertThat(saved.output()).contains("./tally regress SCENARIO --candidate URL --baseline");
    CommandRun more =
        CommandRun.of(
            "regress", scenario.toString(), "--rehearse", "--baseline", baseline, "--repeats", "9");
    assertThat(more.code()).isEqualTo(2);
    assertThat(more.output()).contains("holds 3 runs, so --repeats 9 has no base");
    List<Path> slower = new ArrayList<>();
    for (int seed = 1; seed <= 3; seed++) {
      slower.add(simulated("b" + seed, seed, "slow:decode=1.4"));
    }

    CommandRun judged = compare(List.of(Path.of(baseline)), slower);
    Files.writeString(
        scenario,
        Files.readString(scenario).replace("200", "400").replace("rate: 12", "rate: 16"));
    CommandRun played =
        CommandRun.of(
            "regress", scenario.toString(), "--rehearse", "--baseline", baseline, "--out",
            folder.resolve("other").toString());
    CommandRun recorded =
        compare(List.of(Path.of(baseline)), List.of(simulated("c", 1, "slow:decode=1")));

    assertThat(judged.code()).as(judged.output()).isEqualTo(1);
    assertThat(judged.output()).contains("REGRESSED ").contains("3 runs against 3")
        .contains("the base is a saved file");
    for (CommandRun other : List.of(played, recorded)) {
      assertThat(other.code()).as(other.output()).isEqualTo(4);
      assertThat(other.output())
          .contains("INVALID  these runs cannot be compared: phases")
          .contains("mix");
    }
    assertThat(played.output()).contains("run 1 of at most 3").doesNotContain("run 2 of");
  }

  @Test
  void aPlaceThatIsNotThereIsToldBeforeTheFirstRun() {
    CommandRun nowhere =
        regress("--save-baseline", folder.resolve("none/baseline.json").toString());
    CommandRun noise =
        regress("--calibrate", "--noise", folder.resolve("none/noise.json").toString());

    assertThat(nowhere.code()).isEqualTo(2);
    assertThat(nowhere.output()).contains("there is no folder").doesNotContain("run 1 of");
    assertThat(noise.code()).isEqualTo(2);
    assertThat(noise.output()).contains("there is no folder").doesNotContain("run 1 of");
    assertThat(regress("--save-baseline", folder.toString()).output())
        .contains("is a folder: name a file");
  }

  /** Five pairs are usual: the sixth run of a larger file was told to stand for a late client's. */
  @Test
  void asManyRunsArePlayedAsABaselineHoldsOrAreAsked() {
    String baseline = folder.resolve("six.json").toString();
    CommandRun.of(
        "regress", scenario.toString(), "--rehearse", "--save-baseline", baseline, "--repeats",
        "6", "--out", folder.resolve("out").toString());
    CommandRun all = against(baseline);
    CommandRun three = against(baseline, "--repeats", "3");
    CommandRun noise = against(baseline, "--noise", folder.resolve("typo.json").toString());

    assertThat(all.output()).contains("run 6 of at most 6  pair 6 candidate, ").contains("6 pairs");
    assertThat(three.output()).contains("run 3 of at most 3").contains("3 pairs");
    assertThat(noise.code()).isEqualTo(2);
    assertThat(noise.output()).contains("typo.json: there is no such file");
  }

  private CommandRun against(String baseline, String... more) {
    return CommandRun.of(
        Stream.concat(
                Stream.of(
                    "regress", scenario.toString(), "--rehearse", "--baseline", baseline, "--out",
                    folder.resolve("against").toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private CommandRun compare(List<Path> base, List<Path> candidate) {
    List<String> all = new ArrayList<>(List.of("compare"));
    base.forEach(path -> all.add(path.toString()));
    all.add("--");
    candidate.forEach(path -> all.add(path.toString()));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private Path simulated(String name, int seed, String fault) throws IOException {
    Path out = Files.createDirectory(folder.resolve(name));
    CommandRun run =
        CommandRun.of(
            "simulate", scenario.toString(), "--seed", String.valueOf(seed), "--engine-seed",
            String.valueOf(seed), "--fault", fault, "--no-report", "--out", out.toString());
    assertThat(run.code()).as(run.output()).isZero();
    return CommandRun.onlyRun(out);
  }
}
