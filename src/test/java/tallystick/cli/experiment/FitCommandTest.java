package tallystick.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;

class FitCommandTest {
  @TempDir private Path folder;

  private Path run(String name, String more, String... flags) throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve(name + ".yaml"),
            """
            name: chat
            endpoint: completions
            workload: {arrival: poisson, rate: 8, output_tokens: 24, %s}
            duration: 12s
            seed: 3
            """
                .formatted(more));
    String out = folder.resolve(name).toString();
    String[] words = {"simulate", scenario.toString(), "--no-report", "--out", out};
    String[] all = java.util.Arrays.copyOf(words, words.length + flags.length);
    System.arraycopy(flags, 0, all, words.length, flags.length);
    CommandRun run = CommandRun.of(all);
    assertThat(run.code()).as(run.output()).isZero();
    return CommandRun.onlyRun(folder.resolve(name));
  }

  @Test
  void fitsChecksAndWritesAProfileThatASimulationTakes() throws IOException {
    Path fitted = run("a", "prompt_tokens: {uniform: [20, 1500]}");
    Path other = run("b", "prompt_tokens: 200");
    Path profile = folder.resolve("p.properties");

    CommandRun fit =
        CommandRun.of(
            "fit", fitted.toString(), "--check", other.toString(), "--out", profile.toString());

    assertThat(fit.code()).as(fit.output()).isEqualTo(5);
    assertThat(fit.output())
        .contains("fit   1 run of a simulated engine", "VERDICT", "TRUST", "CHECK", "NEXT")
        .containsPattern("step +\\S+ +\\S+ to \\S+ +yes")
        .containsPattern("NEXT +Fit these runs with one more: ")
        .containsPattern("trust them only under\\s+loads like these|its predictions are\\s+off")
        .contains("main of chat-virtual");
    // A line of progress, an empty one, and a screen of 24.
    assertThat(fit.output().lines()).hasSizeLessThan(27).allMatch(line -> line.length() <= 80);
    assertThat(Files.readString(profile)).contains("base_us=", "simulated engine");
    run("c", "prompt_tokens: 200", "--profile", profile.toString());
  }

  /** The model is right and the machine was slower: both are told. */
  @Test
  void aRunOnASlowerMachineIsPredictedAtItsSpeed() throws IOException {
    String mix = "prompt_tokens: {uniform: [20, 1500]}";
    Path slower = run("slower", mix, "--fault", "slow:prefill=1.5,decode=1.5");

    CommandRun fit =
        CommandRun.of(
            "fit", run("a", mix).toString(), "--check", slower.toString(), "--verbose", "--out",
            folder.resolve("p.properties").toString());

    Matcher tail =
        Pattern.compile("(?:TTFT|ITL) P95 [^P]*? ([+-]\\d+) % at its speed ([+-]\\d+) %")
            .matcher(fit.output().replaceAll("\\s+", " "));
    List<Integer> off = new ArrayList<>();
    while (tail.find()) {
      off.add(Integer.parseInt(tail.group(1)));
      assertThat(Math.abs(Integer.parseInt(tail.group(2)))).as(fit.output()).isLessThan(10);
    }
    assertThat(off).as(fit.output()).hasSize(2).allMatch(share -> share < -20);
    CommandRun both =
        CommandRun.of(
            "fit", run("steady", mix).toString(), slower.toString(), "--out",
            folder.resolve("p.properties").toString());
    assertThat(both.output().replaceAll("\\s+", " "))
        .contains("NEXT Fit runs of an engine with a steady speed", "no: runs differ in speed")
        .doesNotContain("with one more");
    assertThat(fit.output())
        .contains("0 of 2 P95s within 10 % (2 at its speed)");
  }

  @Test
  void anEngineWhoseCacheIsSmallerThanTheSimulatedOnesLongestRequestIsFitted() {
    CommandRun fit =
        CommandRun.of(
            "fit", "reports/sample", "--out", folder.resolve("p.properties").toString());

    assertThat(fit.code()).as(fit.output()).isNotEqualTo(2);
    assertThat(fit.output())
        .contains("VERDICT", "# its results are simulated")
        .doesNotContain("max-model-len", "(what");
  }

  @Test
  void runsOfUnlikeEnginesAreNotTrusted() throws IOException {
    Path one = run("a", "prompt_tokens: 200");
    Path other = run("b", "prompt_tokens: 200", "--block-size", "32");

    CommandRun fit = CommandRun.of("fit", one.toString(), other.toString());

    assertThat(fit.code()).isEqualTo(4);
    assertThat(fit.output()).contains("no profile", "differ in", "block_size (16, 32)");
  }

  /** Runs of one engine with several settings: a server does not tell them, a label does. */
  @Test
  void labelsTellEachRunsSettings() throws IOException {
    String mix = "prompt_tokens: {uniform: [400, 1500]}";
    String[] small = {"--max-num-batched-tokens", "256", "--max-num-seqs", "2"};
    String[] labelled = {
      small[0], small[1], small[2], small[3],
      "--label", "max_num_batched_tokens=256", "--label", "max_num_seqs=2"
    };
    String fitted = run("usual", mix).toString();
    String profile = folder.resolve("p.properties").toString();

    CommandRun untold =
        CommandRun.of(
            "fit", fitted, "--out", profile, "--check",
            run("untold", mix, small[0], small[1], small[2], small[3], "--label",
                "max_num_seqs=2 of 64").toString());
    CommandRun told =
        CommandRun.of(
            "fit", fitted, "--out", profile, "--check", run("told", mix, labelled).toString());

    assertThat(untold.output().replaceAll("\\s+", " "))
        .contains("0 of 2 P95s within 10 %", "max-num-seqs (64 assumed)");
    assertThat(told.output())
        .contains("2 of 2 P95s within 10 %", "not recorded: max-num-batched-tokens (2048 assumed)")
        .doesNotContainPattern("[+-]0 %")
        .doesNotContain("max-num-seqs (");
  }

  /** Which prompts came from the cache tells how much each step computed. */
  @Test
  void hitsOfThePrefixCacheThatNobodyTellsRequestByRequestAreNotFitted() throws IOException {
    String mix =
        "prompt_tokens: {uniform: [20, 400]}, "
            + "shared_prefix: {groups: 2, share: 0.6, tokens: 800}";
    Path untold = run("untold", mix);
    Path told = run("told", mix, "--enable-prompt-tokens-details");
    Path alone = run("alone", "prompt_tokens: {uniform: [20, 400]}");
    String profile = folder.resolve("p.properties").toString();

    CommandRun fit = CommandRun.of("fit", untold.toString(), "--out", profile);
    assertThat(fit.code()).as(fit.output()).isEqualTo(4);
    assertThat(fit.output().replaceAll("\\s+", " "))
        .containsPattern("\\d+ % of its prompt tokens came from the prefix cache")
        .contains("--enable-prompt-tokens-details");
    fit = CommandRun.of("fit", told.toString(), "--out", profile, "--accept-unproven");
    assertThat(fit.code()).as(fit.output()).isZero();

    CommandRun check =
        CommandRun.of("fit", alone.toString(), "--check", told.toString(), "--out", profile);
    assertThat(check.code()).as(check.output()).isEqualTo(4);
    assertThat(check.output().replaceAll("\\s+", " "))
        .containsPattern("cannot be predicted: \\d+ % of its prompt tokens came from the prefix");
  }

  /** SGLang and old releases of vLLM do not count hits; the plan says that prompts were alike. */
  @Test
  void hitsOfThePrefixCacheThatTheEngineDoesNotCountAreNotFitted() throws IOException {
    String mix =
        "prompt_tokens: {uniform: [20, 400]}, "
            + "shared_prefix: {groups: 2, share: 0.6, tokens: 800}";
    String profile = folder.resolve("p.properties").toString();
    for (String alone : List.of(mix, "prompt_tokens: {uniform: [20, 400]}")) {
      for (List<String> kind :
          List.of(List.of("--family", "sglang"), List.of("--vllm-version", "0.7.0"))) {
        String name = "r" + alone.length() + kind.getFirst().substring(2);
        Path run = run(name, alone, kind.toArray(new String[0]));
        CommandRun fit =
            CommandRun.of("fit", run.toString(), "--out", profile, "--accept-unproven");
        assertThat(fit.code()).as(name + fit.output()).isEqualTo(alone.equals(mix) ? 4 : 0);
      }
    }
  }

  /** Which request follows which is not what its user's number says. */
  @Test
  void aClosedLoopIsPredicted() throws IOException {
    String mix = "prompt_tokens: {uniform: [20, 1500]}";
    Path closed =
        run(
            "closed", mix, "--set", "workload.arrival=closed", "--set", "workload.rate=null",
            "--set", "workload.concurrency=4", "--set",
            "workload.output_tokens={uniform: [10, 60]}");

    CommandRun fit =
        CommandRun.of(
            "fit", run("open", mix).toString(), "--check", closed.toString(), "--out",
            folder.resolve("p.properties").toString());

    assertThat(fit.output()).contains("2 of 2 P95s within 10 %");
  }

  @Test
  void runsWhoseChunksBringSeveralTokensAreNeitherFittedNorPredicted() throws IOException {
    String mix = "prompt_tokens: {uniform: [20, 400]}";
    String plain = run("plain", mix).toString();
    String profile = folder.resolve("p.properties").toString();
    for (String flag : List.of("--stream-interval", "--speculative-tokens")) {
      String bundled = run(flag.substring(2), mix, flag, "4").toString();
      for (String[] fit :
          new String[][] {
            {"fit", bundled, "--out", profile}, {"fit", plain, "--check", bundled, "--out", profile}
          }) {
        CommandRun refused = CommandRun.of(fit);
        assertThat(refused.code()).as(refused.output()).isEqualTo(4);
        assertThat(refused.output().replaceAll("\\s+", " "))
            .contains("its chunks bring several tokens");
      }
    }
  }

  /** Prompts in pieces of 256 tokens are no work of one step each, as the model takes them for. */
  @Test
  void runsWhoseTimeIsInStepsThatNoCostExplainsAreNotFitted() throws IOException {
    Path slow = folder.resolve("slow.properties");
    Files.writeString(
        slow,
        """
        base_us=5000
        prefill_token_us=40
        prefill_pair_us=0.004
        decode_sequence_us=60
        kv_token_us=0.1
        request_parse_us=600
        request_submit_us=900
        output_us=30
        outputs_wait=true
        noise=0.05
        """);
    String run =
        run(
            "pieces", "prompt_tokens: {uniform: [16, 2500]}", "--long-prefill-token-threshold",
            "256", "--profile", slow.toString(), "--set", "workload.rate=5", "--set",
            "duration=30s", "--set", "workload.output_tokens=60")
            .toString();

    CommandRun fit =
        CommandRun.of("fit", run, "--out", folder.resolve("p.properties").toString());

    assertThat(fit.code()).as(fit.output()).isEqualTo(4);
    assertThat(fit.output().replaceAll("\\s+", " "))
        .containsPattern("\\d+ % of the time is in steps far longer or shorter than any costs say")
        .contains("--long-prefill-token-threshold");
    assertThat(folder.resolve("p.properties")).doesNotExist();
  }

  @Test
  void aMissingRunOrProfileIsTheUsersMistake() throws IOException {
    CommandRun fit = CommandRun.of("fit", folder.resolve("none").toString());
    assertThat(fit.code()).isEqualTo(2);
    String once = run("once", "prompt_tokens: 200").toString();
    CommandRun twice = CommandRun.of("fit", once, "--check", once);
    assertThat(twice.code()).isEqualTo(2);
    assertThat(twice.output()).contains("is named twice: name each run once");
    CommandRun simulate =
        CommandRun.of("simulate", "scenarios/quickstart.yaml", "--profile", "none.properties");
    assertThat(simulate.code()).isEqualTo(2);
    assertThat(simulate.output()).contains("there is no profile none.properties");
  }
}
