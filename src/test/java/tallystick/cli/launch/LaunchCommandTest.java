package tallystick.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.cli.CommandRun;

/** What a user reads who asks for files that could not run in a pod. */
class LaunchCommandTest {
  private static final String SCENARIO =
      """
      name: launched
      endpoint: completions
      workload: {arrival: poisson, rate: 5, prompt_tokens: 8, output_tokens: 4}
      duration: 10s
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "targets_file: engines.json | targets_file",
    "request: {api_key_file: key.txt} | request.api_key_file",
    "request: {ca_file: ca.pem} | request.ca_file",
    "request: {headers: {X-Key: {file: key.txt}}} | a secret's {file: PATH}",
    "exporters: [{name: gpu, url: 'file:///gpu.prom'}] | a metrics URL of a file"
  })
  void aFileThatDoesNotTravelToThePodsIsNamed(String more, String key) throws IOException {
    for (String name : List.of("engines.json", "key.txt", "ca.pem")) {
      Files.writeString(folder.resolve(name), name.endsWith(".json") ? "[]" : "x\n");
    }
    CommandRun launched = launch(more);

    assertThat(launched.code()).as(launched.output()).isEqualTo(2);
    assertThat(launched.output().replaceAll("\\s+", " "))
        .contains("this scenario reads a file (" + key + "), which does not travel to the pods");
    assertThat(folder.resolve("k")).doesNotExist();
  }

  @Test
  void aKeyOfAVariableThatNoPodHasAsksForASecret() throws IOException {
    CommandRun launched = launch("request: {api_key_env: VLLM_KEY}");
    assertThat(launched.code()).as(launched.output()).isEqualTo(2);
    assertThat(launched.output()).contains("VLLM_KEY", "--api-key-secret");

    assertThat(launch("request: {api_key_env: VLLM_KEY}", "--api-key-secret", "vllm").code())
        .isZero();
    assertThat(folder.resolve("k/job.yaml")).content().contains("TALLY_API_KEY");
  }

  @Test
  void variablesOfSecretsComeFromASecretOfTheClusterAndNoValueStandsInAFile() throws IOException {
    String request =
        "request: {headers: {X-Goog-Api-Key: {env: GOOG}}, extra_body: {token: {env: PATH}}}";
    CommandRun without = launch(request);
    assertThat(without.code()).as(without.output()).isEqualTo(2);
    assertThat(without.output().replaceAll("\\s+", " "))
        .contains("takes secrets from variables that no pod has (GOOG, PATH)", "--env-secret");

    CommandRun launched = launch(request, "--env-secret", "vars");
    assertThat(launched.code()).as(launched.output()).isZero();
    assertThat(folder.resolve("k/job.yaml"))
        .content()
        .contains("- name: \"GOOG\"", "- name: \"PATH\"", "key: \"PATH\"", "name: \"vars\"")
        .doesNotContain(System.getenv("PATH"));
  }

  @Test
  void eachWrittenFileHasALineOfItsOwn() throws IOException {
    assertThat(launch("").output().lines())
        .contains("Written: " + folder.resolve("k/job.yaml"))
        .noneMatch(line -> line.contains("["));
  }

  @Test
  void aTargetThatIsThePodItselfIsWarnedOf() throws IOException {
    assertThat(launch("").output()).doesNotContain("WARNING");
    for (String host : List.of("127.0.0.1", "localhost", "[::1]")) {
      String url = "http://" + host + ":8000";
      CommandRun launched = launch("", "--target", url);
      assertThat(launched.code()).as(launched.output()).isZero();
      assertThat(launched.output())
          .contains("In a pod " + url + " is the pod itself", "--target http://SERVICE.NAMESPACE")
          .contains("NEXT");
      assertThat(launched.output().lines().filter(line -> !line.startsWith("Written")))
          .allMatch(line -> line.length() <= 80 || line.contains("kubectl"));
    }
  }

  @Test
  void commandsForAFolderWithASpaceCanBeTyped() throws IOException {
    Path spaced = folder.resolve("my files");
    CommandRun pods = launch("", "--out", spaced.toString());
    CommandRun batch =
        CommandRun.of(
            "launch", "slurm", folder.resolve("s.yaml").toString(), "--target",
            "http://10.0.0.7:8000", "--shards", "2", "--out", spaced.toString());

    assertThat(pods.output())
        .contains("kubectl apply -k '" + spaced + "'\n")
        .contains("kubectl apply -f '" + spaced.resolve("merge.yaml") + "'  # once");
    assertThat(batch.output())
        .contains("sbatch --wait '" + spaced.resolve("launched-shards.sbatch") + "'\n");
  }

  private CommandRun launch(String more, String... options) throws IOException {
    Path scenario = Files.writeString(folder.resolve("s.yaml"), SCENARIO + more + "\n");
    List<String> words =
        new ArrayList<>(
            List.of(
                "launch", "kubernetes", scenario.toString(), "--shards", "2", "--image", "tally:1",
                "--claim", "results"));
    words.addAll(List.of(options));
    if (!words.contains("--target")) {
      words.addAll(List.of("--target", "http://10.0.0.7:8000"));
    }
    if (!words.contains("--out")) {
      words.addAll(List.of("--out", folder.resolve("k").toString()));
    }
    return CommandRun.of(words.toArray(String[]::new));
  }
}
