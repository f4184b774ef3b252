package tallystick.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;
import tallystick.cli.option.EngineFlags;
import tallystick.experiment.engine.FakeCluster;
import tallystick.simengine.EmbeddedEngine;

/** An engine in a deployment, as a user names it; kubectl is a script. */
class DeploymentIT {
  @TempDir Path folder;

  private CommandRun regress(FakeCluster cluster, String... more) throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("s.yaml"),
            """
            workload: {arrival: poisson, rate: 5, prompt_tokens: 20, output_tokens: 5}
            duration: 1s
            warmup: {requests: 1}
            """);
    List<String> first =
        List.of(
            "regress", scenario.toString(), "--repeats", "3", "--out",
            folder.resolve("out").toString(), "--base-engine", "max-num-seqs=4",
            "--save-baseline", folder.resolve("base.json").toString(), "--kubectl",
            cluster.program(), "--container", "vllm");
    return CommandRun.of(Stream.concat(first.stream(), Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void whatIsNotNamedIsNotTouched() throws Exception {
    FakeCluster cluster = FakeCluster.in(folder);
    for (List<String> words :
        List.of(
            List.of("--serve-deployment", "vllm", "--serve-url", "http://127.0.0.1:1"),
            List.of("--serve-deployment", "vllm", "--namespace", "bench"),
            List.of("--namespace", "bench"))) {
      CommandRun run = regress(cluster, words.toArray(String[]::new));
      assertThat(run.code()).as(run.output()).isEqualTo(2);
      assertThat(run.output()).contains("--serve-deployment", "--namespace", "--serve-url");
    }
    assertThat(folder.resolve("calls")).doesNotExist();
  }

  @Test
  @Tag("stress")
  void runsArePlayedAgainstItAndItIsPutBack() throws Exception {
    FakeCluster cluster = FakeCluster.in(folder);
    try (EmbeddedEngine engine =
        EmbeddedEngine.start(EngineFlags.settings(Map.of()), "127.0.0.1", 0)) {
      CommandRun run =
          regress(
              cluster, "--serve-deployment", "vllm", "--namespace", "bench", "--serve-url",
              engine.url());

      assertThat(run.code()).as(run.output()).isIn(0, 4);
      assertThat(run.output())
          .contains("max_num_seqs 4 (declared)", "has its first args again");
      // A late client costs one run more, and a comparison that cannot be judged counts no starts.
      assertThat(run.code() == 4 || run.output().contains("(starts: ")).as(run.output()).isTrue();
    }
    assertThat(cluster.args()).isEqualTo(FakeCluster.FIRST);
    assertThat(cluster.calls().stream().filter(call -> call.contains("rollout restart")))
        .hasSizeBetween(2, 3);
  }
}
