package tallystick.experiment.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.experiment.EngineFailure;
import tallystick.experiment.EngineSetting;

/** A deployment is changed as far as its args go, and put back; kubectl is a script here. */
class DeploymentTest {
  private static final String OF_EIGHT =
      "[\"--model\",\"m\",\"--max_num_seqs\",\"8\",\"--block-size=16\"]";

  @TempDir Path folder;

  private final List<String> said = new ArrayList<>();
  private FakeCluster cluster;
  private HttpServer health;

  @BeforeEach
  void serve() throws IOException {
    cluster = FakeCluster.in(folder);
    health = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    health.createContext(
        "/health",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    health.start();
  }

  @AfterEach
  void stop() {
    health.stop(0);
  }

  private Deployment open(String namespace, BooleanSupplier isStopped)
      throws IOException, InterruptedException {
    return Deployment.open(
        new Deployment.Order(
            cluster.program(), namespace, "vllm", Optional.of("vllm"),
            "http://127.0.0.1:" + health.getAddress().getPort(), Duration.ofSeconds(60)),
        said::add, isStopped);
  }

  private Deployment open() throws IOException, InterruptedException {
    return open("bench", () -> false);
  }

  @Test
  void aSettingIsRolledOutAfterADryRunAndPutBack() throws Exception {
    try (Deployment deployment = open()) {
      assertThat(deployment.up(Map.of("max_num_seqs", "8"), false)).isTrue();

      assertThat(cluster.args()).isEqualTo(OF_EIGHT);
      deployment.requireAlive();
      assertThat(deployment.settings(Map.of("max_num_seqs", "8"), Map.of()))
          .containsExactly(EngineSetting.declared("max_num_seqs", "8"));
    }
    assertThat(cluster.args()).isEqualTo(FakeCluster.FIRST);
    assertThat(said.getLast()).contains("deployment vllm in namespace bench has its first args");
    assertThat(cluster.calls()).allMatch(call -> call.startsWith("--namespace bench "));
    List<String> patches =
        cluster.calls().stream().filter(call -> call.contains(" patch ")).toList();
    assertThat(patches).hasSize(5);
    for (int i = 0; i < patches.size(); i++) {
      assertThat(patches.get(i).endsWith(" --dry-run=server")).isEqualTo(i != 2 && i != 4);
    }
  }

  @Test
  void noSecretOfItsArgsIsSaid() throws Exception {
    cluster.write(
        "args",
        "[\"--api-key\",\"k-1\",\"k-2\",\"--max_num_seqs\",\"64\",\"--hf-token=t-3\"]");
    try (Deployment deployment = open()) {
      assertThat(deployment.up(Map.of("max_num_seqs", "8"), false)).isTrue();
      cluster.write("args", "[\"serve m --api-key k-4\"]");
      assertThatThrownBy(() -> deployment.up(Map.of("max_num_seqs", "8"), false))
          .hasMessageContaining("has the args \"serve m --api-key …\": somebody else");
    }
    assertThat(String.join("\n", said))
        .contains("--api-key … … --max_num_seqs 64 --hf-token=…", "is NOT as it was")
        .doesNotContain("k-1", "k-2", "t-3", "k-4");
  }

  @Test
  void theSameSettingsStartAnewUnlessTheEngineIsKept() throws Exception {
    try (Deployment deployment = open()) {
      Map<String, String> today = Map.of("max_num_seqs", "64", "block_size", "16");
      for (boolean isKept : new boolean[] {false, false, true}) {
        assertThat(deployment.up(today, isKept)).isTrue();
      }
    }
    assertThat(cluster.calls().stream().filter(call -> call.contains("rollout restart")))
        .hasSize(2);
    assertThat(said.getLast()).contains("(starts: 2)");
  }

  @Test
  void aRolloutThatTimesOutIsAFailedStartAndIsPutBack() throws Exception {
    try (Deployment deployment = open()) {
      assertThatThrownBy(() -> deployment.up(Map.of("max_num_seqs", "999"), false))
          .isInstanceOfSatisfying(
              EngineFailure.class,
              failure -> assertThat(failure.moment()).isEqualTo(EngineFailure.Moment.START))
          .hasMessageContaining("timed out waiting for the condition");
      assertThat(cluster.args()).contains("999");
      assertThat(deployment.up(Map.of("max_num_seqs", "8"), false)).isTrue();
    }
    assertThat(cluster.args()).isEqualTo(FakeCluster.FIRST);
  }

  @Test
  void aDryRunThatIsRefusedChangesNothing() throws Exception {
    try (Deployment deployment = open()) {
      cluster.write("forbidden", "");
      assertThatThrownBy(() -> deployment.up(Map.of("max_num_seqs", "8"), false))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("patch is forbidden");
    }
    assertThatThrownBy(this::open).hasMessageContaining("patch is forbidden");
    assertThat(cluster.args()).isEqualTo(FakeCluster.FIRST);
    assertThat(cluster.calls())
        .filteredOn(call -> call.contains(" patch "))
        .allMatch(call -> call.endsWith("--dry-run=server"));
  }

  @Test
  void anInterruptedRolloutIsPutBack() throws Exception {
    cluster.write("hangs", "");
    try (Deployment deployment = open("bench", this::isRollingOut)) {
      assertThat(deployment.up(Map.of("max_num_seqs", "8"), false)).isFalse();
      assertThat(cluster.args()).isEqualTo(OF_EIGHT);
    }
    assertThat(cluster.args()).isEqualTo(FakeCluster.FIRST);
  }

  private boolean isRollingOut() {
    try {
      return cluster.calls().stream().anyMatch(call -> call.contains("rollout status"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatSomebodyElseChangedIsLeftAlone() throws Exception {
    String theirs = "[\"--max-num-seqs=7\"]";
    try (Deployment deployment = open()) {
      deployment.up(Map.of("max_num_seqs", "8"), false);
      cluster.write("args", theirs);
      cluster.write("generation", "9");

      assertThatThrownBy(deployment::requireAlive).hasMessageContaining("by somebody else");
      assertThatThrownBy(() -> deployment.up(Map.of("max_num_seqs", "9"), false))
          .hasMessageContaining("somebody else changed them");
    }
    assertThat(cluster.args()).isEqualTo(theirs);
    assertThat(said.getLast()).contains("is NOT as it was", "--max_num_seqs 64");
  }

  @Test
  void onlyAFlagThatIsThereIsChangedAndOnlyInTheNamespaceThatWasNamed() throws Exception {
    try (Deployment deployment = open()) {
      assertThatThrownBy(() -> deployment.requireFits(Map.of("max_model_len", "9")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("container vllm has --max-model-len not in its args");
    }
    assertThatThrownBy(() -> open("prod", () -> false))
        .hasMessageContaining("something else than the deployment vllm in namespace prod");
    assertThat(cluster.args()).isEqualTo(FakeCluster.FIRST);
  }
}
