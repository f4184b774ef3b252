package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplicasTest {

  @Test
  void everyEngineHasSeriesOfItsOwnUnderOneHead() {
    Replicas replicas = new Replicas(settings(Map.of("data-parallel-size", "3")), 1000);
    String text = replicas.registry().snapshot().text();
    for (String engine : List.of("0", "1", "2")) {
      assertThat(text)
          .contains("vllm:num_requests_running{engine=\"" + engine + "\",model_name=\"tiny\"} 0.0")
          .contains("vllm:generation_tokens_total{engine=\"" + engine + "\"");
    }
    assertThat(text.split("# TYPE vllm:generation_tokens_total counter")).hasSize(2);
    assertThat(text).contains("vllm:admission_rejections_total{model_name=\"tiny\"");
  }

  @Test
  void requestsAreSharedOutAndCountedWhereTheyRan() {
    VirtualEngine engine = new VirtualEngine(settings(Map.of("data-parallel-size", "2")), 0);
    for (int i = 0; i < 20; i++) {
      int salt = i;
      engine.at(i * 1_000_000L, () -> submit(engine, salt));
    }
    engine.run();
    List<Double> tokens = values(engine, "vllm:generation_tokens_total");
    List<Double> requests = values(engine, "vllm:e2e_request_latency_seconds_count");
    assertThat(requests).containsExactly(10.0, 10.0);
    assertThat(tokens).containsExactly(300.0, 300.0);
  }

  @Test
  void twoEnginesHoldWhatOneCannot() {
    Map<String, String> small =
        Map.of(
            "num-gpu-blocks-override", "20", "max-model-len", "256", "data-parallel-size", "2");
    Map<String, String> alone =
        Map.of("num-gpu-blocks-override", "20", "max-model-len", "256");
    assertThat(preemptions(alone)).isPositive();
    // Six requests come to hold five blocks each: three fit into 19, six do not.
    assertThat(preemptions(small)).isZero();
  }

  @Test
  void aRequestThatIsCancelledOnItsWayFreesItsPlace() {
    VirtualEngine engine = new VirtualEngine(settings(Map.of("data-parallel-size", "2")), 0);
    List<VirtualRequest.Handle> first = new ArrayList<>();
    engine.at(0, () -> first.add(submit(engine, 1)));
    engine.at(1, () -> first.getFirst().cancel());
    engine.at(1_000_000_000, () -> submit(engine, 2));
    engine.at(2_000_000_000, () -> submit(engine, 3));
    engine.run();
    assertThat(values(engine, "vllm:e2e_request_latency_seconds_count"))
        .containsExactlyInAnyOrder(1.0, 1.0);
  }

  @Test
  void aNumberOfEnginesThatCannotBeIsRefused() {
    assertThatThrownBy(() -> settings(Map.of("data-parallel-size", "0")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("data-parallel-size must be between 1 and 64, was 0");
  }

  private static double preemptions(Map<String, String> flags) {
    VirtualEngine engine = new VirtualEngine(settings(flags), 0);
    for (int i = 0; i < 6; i++) {
      int salt = i;
      engine.at(i * 1_000_000L, () -> submit(engine, salt));
    }
    engine.run();
    return values(engine, "vllm:num_preemptions_total").stream().mapToDouble(v -> v).sum();
  }

  private static VirtualRequest.Handle submit(VirtualEngine engine, int salt) {
    return engine.submit(
        new VirtualRequest(EngineRun.prompt(40, salt), 30, 1), new VirtualRequest.Observer() {
          @Override
          public void tokens(long nanos, int choice, int[] tokens) {}

          @Override
          public void ended(long nanos, int choice, VirtualRequest.Ending ending) {}
        });
  }

  static List<Double> values(VirtualEngine engine, String name) {
    List<VirtualEngine.MetricSeries> series = engine.series();
    double[] sample = engine.sample();
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < sample.length; i++) {
      if (series.get(i).name().equals(name)) {
        values.add(sample[i]);
      }
    }
    return values;
  }

  private static EngineSettings settings(Map<String, String> flags) {
    return EngineSettings.ofFlags(flags);
  }
}
