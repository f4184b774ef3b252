package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.answer.Block;
import tallystick.answer.chart.Plot;
import tallystick.experiment.JointObjective;
import tallystick.scenario.Objective;

class ProbePlotsTest {
  private static final JointObjective OBJECTIVE =
      new JointObjective(List.of(new Objective(Objective.Metric.TTFT, 1, 0.99, "")), 0.99);
  private static final double NONE = Double.POSITIVE_INFINITY;

  @Test
  void everyRunIsAMarkOfItsShapeAndTheIntervalABand() {
    Plot goodput = plots("requests/s", new RateInterval(40, 45)).getFirst();

    assertThat(goodput.series()).extracting(Plot.Series::name)
        .containsExactly("all requests are good", "holds", "does not hold");
    assertThat(goodput.series().get(1).points()).hasSize(2);
    assertThat(goodput.series().get(2).points().getFirst().title())
        .isEqualTo("probe 3: offered 50.0 requests/s, 12.5 requests/s good: does not hold");
    assertThat(goodput.guides().getFirst())
        .returns(40.0, Plot.Guide::low).returns(45.0, Plot.Guide::high);
    assertThat(goodput.words())
        .contains(
            "2 of 3 hold",
            "the capacity seems to lie between 40.0 and 45.0 requests/s (from single runs");
  }

  @Test
  void theWaitStandsBesideItWithItsLimit() {
    List<Plot> plots = plots("requests/s", new RateInterval(40, 45));

    assertThat(plots).extracting(Plot::title).containsExactly("Goodput", "TTFT P95");
    assertThat(plots.get(1).series().getFirst().points().getFirst())
        .returns(20.0, Plot.Point::x).returns(0.4, Plot.Point::y);
    assertThat(plots.get(1).guides()).extracting(Plot.Guide::label)
        .containsExactly("", "limit 1 s for 99 %");
  }

  @Test
  void goodRequestsOfSessionsAreRequests() {
    Plot goodput = plots("sessions/s", new RateInterval(40, 45)).getFirst();

    // A session is 4 requests: of 50 sessions/s a quarter of 200 requests/s.
    assertThat(goodput.up().name()).isEqualTo("good requests/s");
    assertThat(goodput.series().getFirst().points().getLast().y()).isEqualTo(200);
    assertThat(goodput.series().get(2).points().getFirst().title())
        .isEqualTo("probe 3: offered 50.0 sessions/s, 50.0 requests/s good: does not hold");
  }

  @Test
  void goodSessionsAreSessions() {
    JointObjective ofSessions =
        new JointObjective(
            List.of(new Objective(Objective.Metric.SESSION_TIME, 60, 0.99, "")), 0.99);
    Plot goodput = plots("sessions/s", ofSessions, new RateInterval(40, 45)).getFirst();

    assertThat(goodput.up().name()).isEqualTo("good sessions/s");
    assertThat(goodput.series().getFirst())
        .returns("all sessions are good", Plot.Series::name);
    assertThat(goodput.series().get(2).points().getFirst().title())
        .endsWith("12.5 sessions/s good: does not hold");
  }

  @Test
  void whatIsNotBoundedHasNoBand() {
    Plot free = plots("requests/s", new RateInterval(0, NONE)).getFirst();
    assertThat(free.guides()).isEmpty();
    assertThat(free.words()).contains("the runs do not bound the capacity");

    Plot half = plots("sessions/s", new RateInterval(40, NONE)).getFirst();
    assertThat(half.guides()).hasSize(1);
    assertThat(half.words()).contains("seems to lie above 40.0 sessions/s (from single runs");
    assertThat(half.across().name()).isEqualTo("offered sessions/s");
  }

  private static List<Plot> plots(String unit, RateInterval interval) {
    return plots(unit, OBJECTIVE, interval);
  }

  private static List<Plot> plots(
      String unit, JointObjective objective, RateInterval interval) {
    List<ProbeResult> probes = new ArrayList<>();
    double[][] ratesAndGood = {{20, 1}, {40, 1}, {50, 0.25}};
    for (double[] each : ratesAndGood) {
      Probe probe = new Probe(probes.size() + 1, Probe.Purpose.NARROW, each[0], 5, 60, 1);
      ProbeFigures.Percentiles ttft = new ProbeFigures.Percentiles(0.1, each[0] / 50, 2);
      probes.add(
          new ProbeResult(
              probe, 70, 1000, Math.round(1000 * each[1]), ProbeResult.Load.UNKNOWN,
              ProbeResult.Trust.TRUSTED, "",
              new ProbeFigures(
                  ttft, ProbeFigures.Percentiles.UNKNOWN, 1, 1, 1, List.of(),
                  new ProbeFigures.Kept("", 0, 0), unit.startsWith("sessions") ? 4 : 0, "")));
    }
    ProbePlots drawn =
        new ProbePlots(unit, objective, probes, new CapacityAnswer.TooClose(interval, 600));
    return of(drawn.section().orElseThrow().blocks());
  }

  /** Plots that stand beside each other. */
  static List<Plot> of(List<Block> blocks) {
    return ((Block.Groups) blocks.getFirst())
        .groups().stream()
            .map(group -> (Plot) ((Block.Picture) group.blocks().getFirst()).drawing())
            .toList();
  }
}
