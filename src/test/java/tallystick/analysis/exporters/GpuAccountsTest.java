package tallystick.analysis.exporters;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import tallystick.analysis.MadeRun;
import tallystick.analysis.SmallRun;
import tallystick.analysis.result.ExporterAccount.Gpu;
import tallystick.analysis.result.ExporterAccount;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series.Type;
import tallystick.runrecord.Series;
import tallystick.scenario.Exporter.Quantity;
import tallystick.scenario.Exporter;

/** A load from 10 s to 69 s on one GPU, scraped each second from 9 s to 72 s. */
class GpuAccountsTest {
  private static final String THROTTLE = "DCGM_FI_DEV_POWER_VIOLATION";

  @Test
  void energyForEachOutputTokenIsTheCountersGrowthOverTheEnginesTokens() {
    // 300 W: 300,000 mJ a second.
    RunAnalysis analysis = run(second -> 1e9 + 300_000.0 * second, any -> true).analyze();
    ExporterAccount found = analysis.surroundings();

    // The last scrape before the load at 10 s, the first after it at 69 s.
    assertThat(SmallRun.value(found.gpuEnergy().joules())).isEqualTo(59 * 300.0);
    double tokens =
        SmallRun.value(
            found.points().stream()
                .filter(point -> point.name().equals("engine"))
                .findFirst().orElseThrow().counts().get(Quantity.OUTPUT_TOKENS));
    assertThat(SmallRun.value(found.gpuEnergy().joulesPerOutputToken()))
        .isEqualTo(59 * 300.0 / tokens);
    assertThat(SmallRun.value(gpu(analysis).throttledSeconds().get("power"))).isEqualTo(5.9);
    assertThat(SmallRun.codes(analysis)).noneMatch(code -> code.startsWith("exporter"));
  }

  @Test
  void whatMovedTooSeldomIsNotGiven() {
    RunAnalysis analysis = run(second -> second / 30 * 9e6, any -> true).analyze();

    assertThat(gpu(analysis).energyJoules())
        .isEqualTo(Figure.missing("the energy counter moved 2 times in the load, need 10"));
  }

  @Test
  void aFrozenExporterLeavesNoEnergyAndIsNamed() {
    MadeRun run = silent();
    for (int second = 9; second <= 72; second++) {
      run.exporterScrape(0, second, samples(Math.min(second, 40)));
    }
    RunAnalysis analysis = run.analyze();

    assertThat(gpu(analysis).energyJoules())
        .isEqualTo(Figure.missing("the energy counter stood still for 29.0 s of the load"));
    assertThat(gpu(analysis).throttledSeconds().get("power"))
        .isEqualTo(Figure.missing("the GPU's figures stood still for 29.0 s of the load"));
    assertThat(gpu(analysis).meanPowerWatts()).isInstanceOf(Figure.Unavailable.class);
    assertThat(SmallRun.finding(analysis, "exporter_stood_still").text())
        .contains("from 30.0 s to 59.0 s");
  }

  @Test
  void aHoleSpoilsTheMeanAndNotTheCounters() {
    RunAnalysis analysis =
        run(second -> 300_000.0 * second, second -> second < 30 || second > 50).analyze();

    assertThat(SmallRun.value(gpu(analysis).energyJoules())).isEqualTo(59 * 300.0);
    assertThat(gpu(analysis).meanPowerWatts())
        .isEqualTo(Figure.missing("nothing new was read for 22.0 s of the load"));
    assertThat(SmallRun.finding(analysis, "exporter_lost_scrapes").text())
        .contains("21 of 60 scrapes", "longest hole is 22.0 s", "cover the rest.");
  }

  @Test
  void anExporterThatDisappearsHasNoGrowthOverTheLoad() {
    RunAnalysis analysis = run(second -> 300_000.0 * second, second -> second < 30).analyze();

    Figure missing = Figure.missing(ExporterReading.NOT_COVERED);
    assertThat(gpu(analysis).energyJoules()).isEqualTo(missing);
    assertThat(gpu(analysis).meanPowerWatts()).isEqualTo(missing);
    assertThat(gpu(analysis).throttledSeconds().get("power")).isEqualTo(missing);
    assertThat(SmallRun.finding(analysis, "exporter_lost_scrapes").text())
        .contains("do not reach the end of the load");
  }

  @Test
  void aCounterThatBeganAnewHasNoGrowth() {
    RunAnalysis analysis =
        run(second -> 300_000.0 * (second < 40 ? second : second - 40), any -> true).analyze();

    assertThat(gpu(analysis).energyJoules())
        .isEqualTo(Figure.missing("its counter began anew"));
    assertThat(SmallRun.codes(analysis)).contains("exporter_restarted");
  }

  @Test
  void aGpuThatIsNotShownAnyMoreIsNamed() {
    MadeRun run = silent();
    for (int second = 9; second <= 72; second++) {
      run.exporterScrape(
          0, second,
          second < 40 ? samples(second) : List.of(sample("other_gauge", Type.GAUGE, second)));
    }
    RunAnalysis analysis = run.analyze();

    assertThat(SmallRun.codes(analysis)).contains("gpu_vanished");
    assertThat(gpu(analysis).energyJoules())
        .isEqualTo(Figure.missing("it was not shown any more when the load ended"));
  }

  @Test
  void anotherPodOnTheGpuIsNoOtherGpuAndNoOtherCounter() {
    MadeRun run = silent();
    for (int second = 9; second <= 72; second++) {
      Map<String, String> pod = Map.of("pod", second < 40 ? "vllm-0" : "vllm-1");
      run.exporterScrape(
          0, second, List.of(
              with(pod, sample("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", Type.COUNTER,
                  1e12 + 300_000.0 * second)),
              with(Map.of("pod", "sidecar"),
                  sample("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", Type.COUNTER,
                      1e12 + 300_000.0 * second))));
    }
    RunAnalysis analysis = run.analyze();

    assertThat(analysis.surroundings().gpus()).hasSize(1);
    assertThat(SmallRun.value(gpu(analysis).energyJoules())).isEqualTo(59 * 300.0);
  }

  @Test
  void aBlankOfDcgmIsAbsentAndNotAValue() {
    MadeRun run = silent();
    Sample blank = sample("DCGM_FI_DEV_MEMORY_TEMP", Type.GAUGE, 9_223_372_036_854_775_794.0);
    for (int second : new int[] {9, 30, 72}) {
      run.exporterScrape(0, second, List.of(blank, power(310)));
    }
    Gpu gpu = gpu(run.analyze());

    assertThat(gpu.gauges()).containsOnlyKeys("power_watts");
    assertThat(gpu.gauges().get("power_watts").mean()).isEqualTo(310);
  }

  @Test
  void aNewXidUnderLoadSpoilsTheRun() {
    Finding found = SmallRun.finding(xid(9, 40).analyze(), "gpu_error");

    assertThat(found.severity()).isEqualTo(Finding.Severity.INVALID);
    assertThat(found.text()).contains("(XID 79)");
  }

  @Test
  void anXidBeforeTheFirstAndAfterTheLastScrapeUnderLoadIsOneUnderLoad() {
    assertThat(SmallRun.codes(xid(9, 11).analyze())).contains("gpu_error");
    assertThat(SmallRun.codes(xid(9, 69).analyze())).contains("gpu_error");
    assertThat(SmallRun.codes(xid(9, 72).analyze()))
        .contains("gpu_error_before").doesNotContain("gpu_error");
    assertThat(SmallRun.codes(xid(0, 9).analyze()))
        .contains("gpu_error_before").doesNotContain("gpu_error");
  }

  /** As dcgm-exporter shows it: the number is a label of the series too. */
  private static MadeRun xid(int from, int errorFrom) {
    MadeRun run = silent();
    for (int second = Math.max(from, 9); second <= 72; second++) {
      int number = second < errorFrom ? 0 : 79;
      run.exporterScrape(
          0, second,
          List.of(
              with(Map.of("err_code", "" + number),
                  sample("DCGM_FI_DEV_XID_ERRORS", Type.GAUGE, number))));
    }
    return run;
  }

  private static MadeRun run(IntToDoubleFunction energy, IntPredicate answers) {
    MadeRun run = silent();
    for (int second = 9; second <= 72; second++) {
      if (!answers.test(second)) {
        run.exporterScrapes.add(
            new ScrapeRow(
                0, MadeRun.nanos(second), MadeRun.nanos(second) + 1, List.of(), "refused"));
        continue;
      }
      run.exporterScrape(
          0, second, List.of(
              sample("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", Type.COUNTER,
                  energy.applyAsDouble(second)),
              sample(THROTTLE, Type.COUNTER, 1e8 * second),
              power(300)));
    }
    return run;
  }

  private static List<Sample> samples(int second) {
    return List.of(
        sample("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", Type.COUNTER, 300_000.0 * second),
        sample(THROTTLE, Type.COUNTER, 1e8 * second),
        power(300));
  }

  private static MadeRun silent() {
    MadeRun run = SmallRun.run(20, 0.002, request -> request);
    run.exporters.add(new Exporter("gpu", "http://10.0.0.7:9400/metrics", Map.of(), List.of()));
    return run;
  }

  private static Gpu gpu(RunAnalysis analysis) {
    return analysis.surroundings().gpus().get(0);
  }

  private static Sample power(double watts) {
    return sample("DCGM_FI_DEV_POWER_USAGE", Type.GAUGE, watts);
  }

  private static Sample sample(String name, Type type, double value) {
    return new Sample(
        Series.of(name, Map.of("gpu", "0", "modelName", "NVIDIA H200"), type), value);
  }

  private static Sample with(Map<String, String> more, Sample sample) {
    Map<String, String> labels = new TreeMap<>(sample.series().labels());
    labels.putAll(more);
    return new Sample(
        Series.of(sample.series().name(), labels, sample.series().type()), sample.value());
  }
}
