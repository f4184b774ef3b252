package tallystick.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaunchFilesTest {
  /** Whatever a user writes, it stays one word of one argument list. */
  private static final String NASTY = "a=x\"$(whoami) ${name} {'; # \\";

  @TempDir Path folder;

  private LaunchOrder order() throws IOException {
    Path scenario = folder.resolve("s.yaml");
    Files.writeString(scenario, "name: steady\n");
    return new LaunchOrder(
        scenario, LaunchOrder.name("Steady_Chat!", "1"), 3, List.of("--label", NASTY));
  }

  private JsonNode kubernetes(String secret, String file) throws IOException {
    List<KubernetesFiles.SecretVariable> secrets =
        secret.isEmpty()
            ? List.of()
            : List.of(
                new KubernetesFiles.SecretVariable("TALLY_API_KEY", secret, "api-key"),
                new KubernetesFiles.SecretVariable("GOOG", "vars", "GOOG"));
    KubernetesFiles.Place place =
        new KubernetesFiles.Place("load", "tally:1", "results", secrets, "2", "2Gi");
    new KubernetesFiles(order(), place).write(folder.resolve("k"));
    return new YAMLMapper().readTree(folder.resolve("k").resolve(file).toFile());
  }

  @Test
  void aJobHasAPodForEachShardWhichKnowsItsIndexAndBeginsWithTheOthers() throws IOException {
    JsonNode job = kubernetes("", "job.yaml").path("spec");

    assertThat(job.path("completionMode").asText()).isEqualTo("Indexed");
    assertThat(job.path("completions").asInt()).isEqualTo(3);
    assertThat(job.path("parallelism").asInt()).isEqualTo(3);
    assertThat(job.path("backoffLimit").asInt()).isZero();
    assertThat(words(job.at("/template/spec/containers/0/args")))
        .containsSequence("--label", NASTY.replace("$(", "$$("))
        .containsSequence(
            "--shard", "$(JOB_COMPLETION_INDEX)/3", "--start-at", "ready", "--out",
            "/results/steady-chat-1/shards");
  }

  @Test
  void aPodHasNoRightsAndWritesOnlyItsResults() throws IOException {
    for (String file : List.of("job.yaml", "merge.yaml")) {
      JsonNode pod = kubernetes("", file).at("/spec/template/spec");
      JsonNode security = pod.at("/containers/0/securityContext");

      assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
      assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
      assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
      assertThat(security.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
      assertThat(words(security.at("/capabilities/drop"))).containsExactly("ALL");
      assertThat(pod.at("/containers/0/resources/requests"))
          .isEqualTo(pod.at("/containers/0/resources/limits"));
      assertThat(pod.at("/topologySpreadConstraints/0/maxSkew").asInt()).isEqualTo(1);
    }
  }

  @Test
  void aKeyComesFromASecretAndOnlyToTheShards() throws IOException {
    JsonNode job = kubernetes("vllm-key", "job.yaml").at("/spec/template/spec/containers/0");

    assertThat(job.at("/env/2/valueFrom/secretKeyRef/name").asText()).isEqualTo("vllm-key");
    assertThat(job.at("/env/3").toString())
        .contains("\"name\":\"GOOG\"", "\"secretKeyRef\":{\"name\":\"vars\",\"key\":\"GOOG\"}");
    assertThat(words(job.path("args"))).containsSequence("--api-key-env", "TALLY_API_KEY");
    assertThat(kubernetes("vllm-key", "merge.yaml").toString()).doesNotContain("vllm-key");
    assertThat(kubernetes("", "job.yaml").toString()).doesNotContain("TALLY_API_KEY");
  }

  @Test
  void aJobSetHoldsTheSamePods() throws IOException {
    assertThat(kubernetes("", "jobset.yaml").at("/spec/replicatedJobs/0/template/spec"))
        .isEqualTo(kubernetes("", "job.yaml").path("spec"));
  }

  @Test
  void kustomizeBringsTheScenario() throws IOException {
    JsonNode kustomization = kubernetes("", "kustomization.yaml");

    assertThat(kustomization.at("/configMapGenerator/0/name").asText()).isEqualTo("steady-chat-1");
    assertThat(folder.resolve("k/scenario.yaml")).hasContent("name: steady\n");
  }

  @Test
  void aBatchScriptIsOneThatAShellTakesAndKeepsEveryWord() throws Exception {
    Path script =
        new SlurmFile(order(), Path.of("/opt/it's/tally"), 60).write(folder.resolve("slurm"));
    Process bash = new ProcessBuilder("bash", "-n", script.toString()).start();

    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(bash.exitValue()).isZero();
    assertThat(Files.readString(script))
        .contains("#SBATCH --nodes=3", "+ 60 ))", "'/opt/it'\\''s/tally'")
        .contains("'--label' '" + NASTY.replace("'", "'\\''") + "'");
  }

  @Test
  void aHarnessOfLlmdIsOneThatAShellTakesAndKeepsEveryWord() throws Exception {
    Path scenario = Files.writeString(folder.resolve("my chat.yml"), "name: steady\n");
    LlmdFiles harness = new LlmdFiles(scenario, List.of("--label", NASTY));
    Path script = harness.write(folder.resolve("l")).get(0);
    Process bash = new ProcessBuilder("bash", "-n", script.toString()).start();

    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(bash.exitValue()).isZero();
    assertThat(script).isExecutable().hasFileName("tallystick-llm-d-benchmark.sh");
    assertThat(script).content().contains("'--label' '" + NASTY.replace("'", "'\\''") + "'");
    assertThat(harness.profile()).isEqualTo("my-chat.yaml");
    assertThat(folder.resolve("l/workload/profiles/tallystick/my-chat.yaml.in"))
        .hasContent("name: steady\n");
  }

  private static List<String> words(JsonNode list) {
    List<String> words = new ArrayList<>();
    list.forEach(word -> words.add(word.asText()));
    return words;
  }
}
